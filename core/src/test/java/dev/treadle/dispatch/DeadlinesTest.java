package dev.treadle.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.invoke.Attempt;
import dev.treadle.invoke.StopActions;
import dev.treadle.job.Job;
import dev.treadle.job.JobTraits;
import dev.treadle.job.StopReason;
import dev.treadle.lifecycle.Lease;
import dev.treadle.storage.Leases;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeadlinesTest {
    private static final Duration FIVE = Duration.ofSeconds(5);

    private Instant now = Instant.parse("2026-03-01T12:00:00Z");
    private final AtomicInteger nudges = new AtomicInteger();
    private final Deadlines deadlines =
            new Deadlines(() -> now, new StopActions(Runnable::run), nudges::incrementAndGet);

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    @Test
    void an_attempt_is_interrupted_when_its_time_is_over_and_not_before() {
        Attempt attempt = begin(1, Duration.ofSeconds(2));
        assertEquals(Duration.ofSeconds(2), deadlines.turn());

        now = now.plusMillis(1_999);
        assertEquals(Duration.ofMillis(1), deadlines.turn());
        assertNull(attempt.stopReason());

        now = now.plusMillis(1);
        deadlines.turn();
        assertEquals(StopReason.TIMED_OUT, attempt.stopReason());
        assertTrue(Thread.interrupted());

        now = now.plusSeconds(60);
        deadlines.turn();
        assertFalse(Thread.interrupted(), "once");
        assertEquals(FIVE, deadlines.turn(), "and then it is forgotten");
    }

    @Test
    void an_attempt_that_has_ended_is_forgotten_and_never_interrupted() {
        Attempt attempt = begin(1, Duration.ofSeconds(2));
        attempt.ends();
        deadlines.ended(attempt);

        now = now.plusSeconds(3);
        assertEquals(FIVE, deadlines.turn());
        assertNull(attempt.stopReason());
        assertFalse(Thread.interrupted());
    }

    @Test
    void only_an_attempt_that_ends_before_all_others_nudges() {
        begin(1, Duration.ofSeconds(2));
        begin(2, Duration.ofSeconds(3));
        begin(3, null);
        assertEquals(1, nudges.get());

        begin(4, Duration.ofSeconds(1));
        assertEquals(2, nudges.get());
        assertEquals(Duration.ofSeconds(1), deadlines.turn());
    }

    @Test
    void a_timeout_of_for_ever_is_taken() {
        begin(1, Duration.ofSeconds(Long.MAX_VALUE));

        assertEquals(FIVE, deadlines.turn());
    }

    private Attempt begin(int number, @Nullable Duration timeout) {
        Lease plain = Leases.number(number);
        Job job = plain.job();
        Attempt attempt = new Attempt(new Lease(
                new Job(
                        job.id(),
                        job.invocation(),
                        JobTraits.DEFAULT.withTimeout(timeout),
                        job.createdAt(),
                        1,
                        job.state()),
                plain.token()));
        attempt.begins(Thread.currentThread());
        deadlines.began(attempt);
        return attempt;
    }
}
