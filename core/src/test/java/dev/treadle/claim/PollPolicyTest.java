package dev.treadle.claim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PollPolicyTest {
    private final PollPolicy policy = new PollPolicy(Duration.ofMillis(200));

    @Test
    void each_look_in_vain_doubles_the_rest_up_to_the_longest() {
        assertEquals(List.of(20L, 40L, 80L, 160L, 200L, 200L), rests(6));
        assertEquals(Duration.ofMillis(200), policy.longest());
    }

    @Test
    void work_makes_it_short_again() {
        rests(6);

        assertEquals(Duration.ofMillis(20), policy.restAfter(true));
        assertEquals(List.of(20L, 40L, 80L), rests(3));
    }

    @Test
    void the_shortest_longest_rest_is_the_only_rest() {
        PollPolicy eager = new PollPolicy(Duration.ofMillis(PollPolicy.POLL_MILLIS_MIN));

        assertEquals(Duration.ofMillis(20), eager.restAfter(false));
        assertEquals(Duration.ofMillis(20), eager.restAfter(false));
    }

    private List<Long> rests(int looks) {
        return Stream.generate(() -> policy.restAfter(false).toMillis())
                .limit(looks)
                .toList();
    }
}
