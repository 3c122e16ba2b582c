package dev.treadle.simulation;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whether the simulation is awake: it must find every engine that was broken on purpose, and say what is broken. */
class SimulationFindsBrokenEnginesTest {
    /** Most seeds it may need. */
    private static final long SEEDS_MAX = 3_000;

    @ParameterizedTest
    @EnumSource
    void it_finds_the_engine_and_names_what_is_broken(BrokenEngine engine) {
        Batch batch = new Batch(engine);
        Simulation.Result found = Quiet.during(() -> batch.run(Batch.BASE, SEEDS_MAX));
        assertNotNull(found, () -> engine + " survived " + batch.seeds() + " seeds");
        Violation violation = found.violation();
        assertNotNull(violation);
        assertTrue(engine.broken().contains(violation.invariant()), () -> Batch.report(found));
        System.out.println(engine + " was found by seed " + batch.seeds());
    }
}
