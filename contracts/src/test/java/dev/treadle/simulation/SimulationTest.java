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
        Set<Sometimes> all = EnumSet.allOf(Sometimes.class);
        all.removeAll(Sometimes.IN_TRANSACTIONS);
        all.removeAll(Sometimes.IN_TREES);
        holds(Mutant.NONE, SEEDS, all);
    }

    @Test
    void so_it_does_beside_transactions_that_stay_open_and_roll_back() {
        holds(Mutant.WITH_TRANSACTIONS, SEEDS / 3, Sometimes.IN_TRANSACTIONS);
    }

    @Test
    void so_it_does_where_jobs_are_made_of_jobs() {
        holds(Mutant.WITH_TREES, SEEDS / 10, Sometimes.IN_TREES);
    }

    private static void holds(Mutant world, long seeds, Set<Sometimes> rare) {
        Batch batch = new Batch(world);
        Simulation.Result failed = Quiet.during(() -> batch.run(FROM, seeds));
        assertNull(failed, () -> Batch.report(failed));
        System.out.println(batch.summary());
        Set<Sometimes> never = EnumSet.noneOf(Sometimes.class);
        if (SEEDS >= SEEDS_USUAL) {
            never.addAll(rare);
        }
        never.removeAll(batch.reached().keySet());
        assertEquals(EnumSet.noneOf(Sometimes.class), never, "never reached: the simulation is asleep");
    }
}
