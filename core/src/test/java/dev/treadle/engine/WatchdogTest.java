package dev.treadle.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import dev.treadle.Await;
import dev.treadle.Logs;
import dev.treadle.Treadle;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WatchdogTest {
    private final AtomicInteger threads = new AtomicInteger();
    private final CountDownLatch inTurn = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final Loop loop = new Loop(
            "watched",
            Loop.BACKOFF_MILLIS_MIN,
            Loop.BACKOFF_MILLIS_MAX,
            failed -> false,
            task -> threads.incrementAndGet() == 1 ? new Thread(() -> {}) : new Thread(task));

    @AfterEach
    void close() throws InterruptedException {
        mayEnd.countDown();
        loop.closeSoon();
        assertTrue(loop.awaitEnd(Await.LIMIT));
    }

    @Test
    void a_dead_loop_is_started_anew_and_that_is_said() {
        try (Logs logs = Logs.of(Watchdog.class)) {
            Watchdog watchdog = new Watchdog(List.of(loop));
            watchdog.turn();
            assertEquals(0, threads.get(), "it was never started");
            loop.start(this::turnThatWaits);

            Await.until("it lives", () -> {
                watchdog.turn();
                return inTurn.getCount() == 0;
            });
            watchdog.turn();

            assertEquals(2, threads.get());
            assertEquals(
                    List.of("The thread of the loop 'watched' had ended and was started again."),
                    logs.from(Level.INFO));
        }
    }

    @Test
    void a_watchdog_that_has_died_is_started_anew_with_a_heartbeat() throws Exception {
        JobServerSettings beatsOften = JobServerSettings.DEFAULT.withWorkers(1).withDeadAfter(Duration.ofSeconds(1));
        try (Logs logs = Logs.of(Watchdog.class);
                Treadle treadle = Treadle.on(new InMemoryStorageProvider())
                        .settings(beatsOften)
                        .start()) {
            Field loops = DefaultJobServer.class.getDeclaredField("loops");
            loops.setAccessible(true);
            Loop watchdog = ((Loops) loops.get(treadle.server().orElseThrow())).of(Chore.WATCHDOG);
            watchdog.closeSoon();
            assertTrue(watchdog.awaitEnd(Await.LIMIT));

            // as if its thread had died
            Field closing = Loop.class.getDeclaredField("closing");
            closing.setAccessible(true);
            closing.set(watchdog, false);

            Await.until(
                    "that is said",
                    () -> logs.from(Level.INFO)
                            .contains("The thread of the loop 'watchdog' had ended and was started again."));
        }
    }

    @Test
    void a_turn_that_takes_long_is_reported_with_its_stack_and_not_at_each_look() throws InterruptedException {
        threads.set(1);
        loop.start(this::turnThatWaits);
        inTurn.await();
        try (Logs logs = Logs.of(Watchdog.class)) {
            Watchdog watchdog = new Watchdog(List.of(loop), Duration.ZERO);
            for (int look = 0; look < 1_000; look++) {
                watchdog.turn();
            }
            new Watchdog(List.of(loop)).turn();

            List<String> said = logs.from(Level.WARN);
            assertTrue(said.get(0).startsWith("The loop 'watched' has been in one turn for "), said.get(0));
            assertTrue(said.get(0).contains("WatchdogTest.turnThatWaits"), said.get(0));
            assertTrue(said.size() < 60, "each report waits twice as long: " + said.size());
        }
    }

    private Duration turnThatWaits() {
        inTurn.countDown();
        try {
            mayEnd.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return Duration.ofHours(1);
    }
}
