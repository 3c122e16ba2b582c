package dev.treadle.storage.sql.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.treadle.job.JobTraits;
import dev.treadle.job.Lane;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is kept as text, also when another release has written it. */
class TraitsTextTest {
    @Test
    void a_lane_is_read_as_it_was_written() {
        Lane lane = new Lane("slips", Set.of("gpu", "eu"), Map.of("db", 2, "heap", 64));

        assertEquals("[\"eu\",\"gpu\",{\"db\":2,\"heap\":64}]", TraitsText.writeNeeds(lane));
        assertEquals(lane, TraitsText.readLane("slips", TraitsText.writeNeeds(lane)));
    }

    @Test
    void a_lane_with_needs_that_only_a_later_release_knows_is_left_to_nodes_of_that() {
        for (String later : new String[] {"{\"db\":{\"most\":2}}", "[\"one\",\"of\"]", "7", "true", "null"}) {
            Lane lane = TraitsText.readLane("slips", "[\"gpu\"," + later + "]");

            assertEquals("slips", lane.queue());
            assertFalse(lane.admits(Set.of("gpu")), later);
        }
    }

    @Test
    void what_a_later_release_says_of_a_job_is_passed_over() {
        assertEquals(
                JobTraits.DEFAULT.withQueue("slips"),
                TraitsText.read(0, "{\"queue\":\"slips\",\"later\":{\"any\":[1]}}"));
    }
}
