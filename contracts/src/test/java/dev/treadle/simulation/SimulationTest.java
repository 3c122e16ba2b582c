package dev.treadle.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Thousands of small worlds; -Dsimulation.seeds=N runs more, -Dsimulation.base=M others. */
class SimulationTest {
    /** So many reach every rare state. */
    private static final long SEEDS_USUAL = 3_000;

    private static final long SEEDS = Long.getLong("simulation.seeds", SEEDS_USUAL);
    private static final long FROM = Long.getLong("simulation.base", Batch.BASE);

    @Test
    void every_invariant_holds_in_every_world_and_every_rare_state_is_reached() {
        Batch batch = new Batch(Mutant.NONE);
        Simulation.Result failed = Quiet.during(() -> batch.run(FROM, SEEDS));
        assertNull(failed, () -> Batch.report(failed));
        System.out.println(batch.summary());
        Set<Sometimes> never = SEEDS < SEEDS_USUAL ? EnumSet.noneOf(Sometimes.class) : EnumSet.allOf(Sometimes.class);
        never.removeAll(batch.reached().keySet());
        assertEquals(EnumSet.noneOf(Sometimes.class), never, "never reached: the simulation is asleep");
    }
}
