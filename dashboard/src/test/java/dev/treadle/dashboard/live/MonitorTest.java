package dev.treadle.dashboard.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.treadle.health.Verdict;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MonitorTest {
    @Test
    void who_asks_before_the_first_look_waits_for_it() throws Exception {
        Monitor monitor = new Monitor(new InMemoryStorageProvider(), InstantSource.system(), Optional::empty);
        CompletableFuture<Monitor.Tick> asked = CompletableFuture.supplyAsync(monitor::last);
        assertThrows(TimeoutException.class, () -> asked.get(200, TimeUnit.MILLISECONDS));
        monitor.turn();
        assertEquals(
                Verdict.Level.IDLE, asked.get(30, TimeUnit.SECONDS).verdict().level());
    }

    @Test
    void rates_are_by_the_time_that_really_went_by_between_two_looks() {
        AtomicLong now = new AtomicLong(1_000_000);
        Monitor monitor =
                new Monitor(new InMemoryStorageProvider(), () -> Instant.ofEpochMilli(now.get()), Optional::empty);
        monitor.turn();
        for (long millis : new long[] {1_350, 1_499, 640, 1_020}) {
            now.addAndGet(millis);
            monitor.turn();
            Point point = java.util.Objects.requireNonNull(
                    java.util.Objects.requireNonNull(monitor.last()).point());
            assertEquals(millis / 1_000.0, point.s(), 1e-9);
        }
        List<Point> hour = monitor.series().of("1h");
        assertEquals(
                1 + 1.35 + 1.499 + 0.64 + 1.02,
                hour.stream().mapToDouble(Point::s).sum(),
                1e-9);
    }
}
