package dev.treadle.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulateTest {
    @Test
    void one_seed_or_many_can_be_asked_for() {
        assertEquals(Map.of("--seed", -7L), Simulate.parse("--seed", "-7"));
        assertEquals(Map.of("--seed", 7L, "--transactions", 1L), Simulate.parse("--seed", "7", "--transactions", "1"));
        assertEquals(Map.of("--seeds", 10L, "--from", 3L), Simulate.parse("--seeds", "10", "--from", "3"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --sed 7            | There is no option '--sed'.
            --seed seven       | --seed takes a whole number.
            --seed             | --seed takes a whole number.
            --seeds 0          | --seeds takes 1 or more.
            --from 3           | Use --seed N
            --seed 1 --seeds 2 | Use --seed N
            --seed 1 --trees 1 --transactions 1 | A world has transactions or trees.
            """)
    void a_wrong_option_is_answered_with_what_it_may_be(String arguments, String message) {
        String said = assertThrows(IllegalArgumentException.class, () -> Simulate.parse(arguments.split(" ")))
                .getMessage();

        assertTrue(said.startsWith(message.replace('"', '\'')), said);
        assertTrue(said.endsWith("or --trees 1 for worlds with jobs made of jobs."), said);
    }
}
