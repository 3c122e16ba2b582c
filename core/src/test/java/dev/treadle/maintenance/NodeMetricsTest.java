package dev.treadle.maintenance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.Invocation;
import dev.treadle.job.Job;
import dev.treadle.job.JobId;
import dev.treadle.job.JobState;
import dev.treadle.job.JobTraits;
import dev.treadle.job.NodeId;
import dev.treadle.lifecycle.AttemptEnd;
import dev.treadle.lifecycle.Lease;
import dev.treadle.storage.NodeFigures;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.NodeMinute;
import dev.treadle.storage.NodeVitals;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What heartbeats tell of what a node did. */
class NodeMetricsTest {
    private static final NodeInfo SELF = new NodeInfo(new NodeId(1), "self", "pool", 4);
    private static final Duration REST = Duration.ofSeconds(5);

    private Instant now = Instant.parse("2026-01-01T12:00:10Z");
    private long heap = 100;
    private @Nullable LinkageError broken;
    private final NodeMetrics gauge =
            new NodeMetrics(() -> now, new ThisMachine(), () -> 3, () -> Map.of("queue mail", "2 at once"));

    private final class ThisMachine implements NodeMetrics.Machine {
        @Override
        public NodeVitals vitals(int running) {
            if (broken != null) {
                throw broken;
            }
            return new NodeVitals(heap, 200, 300, 0.5, 7, 20, running);
        }

        @Override
        public Map<String, String> facts() {
            return Map.of("jdk", "17");
        }
    }

    @BeforeEach
    void beatPlainly() {
        assertNull(gauge.of(SELF).figures());
        assertEquals(Duration.ofSeconds(1), gauge.beaten(REST));
        assertNull(gauge.of(SELF).figures());
        assertEquals(Duration.ofSeconds(1), gauge.beaten(REST));
    }

    @Test
    void a_minute_is_told_with_every_heartbeat_and_has_grown_meanwhile() {
        succeed(40);
        pass(5);
        NodeMinute first = tell();
        succeed(40);
        fail();
        heap = 50;
        pass(5);
        NodeMinute second = tell();

        assertEquals(
                Map.of("jdk", "17", "queue mail", "2 at once"),
                java.util.Objects.requireNonNull(gauge.of(SELF).figures()).facts());
        assertEquals(1, first.succeeded());
        assertEquals(5, first.seconds());
        assertEquals(2, second.succeeded());
        assertEquals(1, second.failed());
        assertEquals(10, second.seconds());
        assertEquals(100, second.heapUsed(), "the most that was seen");
        assertEquals(first.at(), second.at());
        assertEquals(44.0, there(second.runP50()), 6.0);
        assertEquals(500.0, there(second.waitP95()), 63.0);
    }

    @Test
    void a_jvm_that_does_not_tell_how_it_stands_does_not_keep_its_node_from_beating() {
        succeed(40);
        tell();
        broken = new NoClassDefFoundError("java/lang/management/ManagementFactory");
        assertEquals(SELF, gauge.of(SELF));
        assertEquals(REST, gauge.beaten(REST));
        succeed(40);

        broken = null;

        assertEquals(2, tell().succeeded(), "nothing is forgotten meanwhile");
    }

    @Test
    void nor_does_a_word_of_the_node_that_cannot_be_said() {
        NodeMetrics speechless = new NodeMetrics(() -> now, new ThisMachine(), () -> 3, () -> {
            throw new SecurityException("not for you");
        });
        for (int beat = 0; beat < 5; beat++) {
            assertEquals(SELF, speechless.of(SELF));
            speechless.beaten(REST);
        }
    }

    @Test
    void the_minute_that_is_over_is_told_once_more_until_it_arrives_and_then_the_next() {
        succeed(40);
        pass(55);
        NodeMinute late = told();
        succeed(40);
        pass(5);
        assertEquals(late, told(), "it did not arrive");
        gauge.beaten(REST);
        pass(5);
        NodeMinute next = tell();

        assertEquals(Instant.parse("2026-01-01T12:00:00Z"), late.at());
        assertEquals(1, late.succeeded());
        assertEquals(55, late.seconds());
        assertEquals(Instant.parse("2026-01-01T12:01:00Z"), next.at());
        assertEquals(1, next.succeeded());
        assertEquals(10, next.seconds());
    }

    @Test
    void without_a_machine_nothing_is_told() {
        NodeMetrics none = new NodeMetrics(() -> now, null, () -> 0, Map::of);
        for (int i = 0; i < 5; i++) {
            assertNull(none.of(SELF).figures());
            assertEquals(REST, none.beaten(REST));
        }
    }

    @Test
    void percentiles_are_within_an_eighth_from_a_millisecond_to_a_day() {
        Spread spread = new Spread();
        assertNull(spread.percentile(0.5));
        for (long millis = 0; millis < 90_000_000; millis = millis * 21 / 20 + 1) {
            spread.clear();
            spread.add(millis);
            long told = there(spread.percentile(0.95)).longValue();
            assertTrue(Math.abs(told - millis) <= millis / 8.0, millis + " is told as " + told);
        }
        spread.clear();
        for (int i = 1; i <= 100; i++) {
            spread.add(i);
        }
        assertEquals(50.0, there(spread.percentile(0.5)), 7.0);
        assertEquals(95.0, there(spread.percentile(0.95)), 12.0);
    }

    private static Long there(Long value) {
        assertNotNull(value);
        return value;
    }

    private NodeMinute tell() {
        NodeMinute minute = told();
        assertEquals(REST, gauge.beaten(REST));
        return minute;
    }

    private NodeMinute told() {
        NodeFigures figures = gauge.of(SELF).figures();
        assertNotNull(figures);
        assertNotNull(figures.minute());
        return figures.minute();
    }

    private void pass(long seconds) {
        now = now.plusSeconds(seconds);
    }

    private void succeed(long millis) {
        gauge.ended(AttemptEnd.succeeded(lease(), Duration.ofMillis(millis)));
    }

    private void fail() {
        gauge.ended(AttemptEnd.failed(lease(), Duration.ofMillis(40), dev.treadle.job.Failure.because("x", "y")));
    }

    private Lease lease() {
        Job job = new Job(
                JobId.of(new UUID(1, 2)),
                new Invocation("Type", null, "[]"),
                JobTraits.DEFAULT,
                now.minusMillis(500),
                1,
                new JobState.Processing(now, SELF.id()));
        return new Lease(job, 9);
    }
}
