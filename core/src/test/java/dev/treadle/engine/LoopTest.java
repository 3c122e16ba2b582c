package dev.treadle.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Await;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoopTest {
    private static final Duration LONG = Duration.ofHours(1);

    private final Loop loop = new Loop("test");
    private final AtomicInteger turns = new AtomicInteger();

    @AfterEach
    void close() throws InterruptedException {
        loop.closeSoon();
        assertTrue(loop.awaitEnd(Await.LIMIT));
    }

    @Test
    void a_turn_that_says_no_rest_is_followed_by_the_next() {
        loop.start(() -> turns.incrementAndGet() < 100 ? Duration.ZERO : LONG);

        Await.until("a hundred turns are taken", () -> turns.get() == 100);
    }

    @Test
    void a_rest_lasts_as_long_as_the_turn_says() {
        List<Long> nanos = new CopyOnWriteArrayList<>();
        loop.start(() -> {
            nanos.add(System.nanoTime());
            return nanos.size() < 3 ? Duration.ofMillis(30) : LONG;
        });
        Await.until("three turns are taken", () -> nanos.size() == 3);

        assertTrue(nanos.get(2) - nanos.get(0) >= Duration.ofMillis(60).toNanos());
    }

    @Test
    void a_turn_that_throws_is_taken_again_after_a_rest_that_grows() {
        List<Long> nanos = new CopyOnWriteArrayList<>();
        loop.start(() -> {
            nanos.add(System.nanoTime());
            if (nanos.size() <= 3) {
                throw new IllegalStateException("on purpose " + nanos.size());
            }
            return LONG;
        });
        Await.until("it goes on", () -> nanos.size() == 4);

        assertEquals(
                List.of(true, true, true),
                IntStream.range(0, 3)
                        .mapToObj(i -> nanos.get(i + 1) - nanos.get(i)
                                >= Duration.ofMillis(Loop.BACKOFF_MILLIS_MIN << i)
                                        .toNanos())
                        .toList());
    }

    @Test
    void a_nudge_is_no_reason_to_hurry_after_a_failure() {
        List<Long> nanos = new CopyOnWriteArrayList<>();
        loop.start(() -> {
            nanos.add(System.nanoTime());
            if (nanos.size() == 1) {
                throw new IllegalStateException("on purpose");
            }
            return LONG;
        });
        Await.until("the second turn is taken", () -> {
            loop.nudge();
            return nanos.size() >= 2;
        });

        assertTrue(nanos.get(1) - nanos.get(0)
                >= Duration.ofMillis(Loop.BACKOFF_MILLIS_MIN).toNanos());
    }

    @Test
    void an_error_does_not_end_it() {
        loop.start(() -> {
            switch (turns.incrementAndGet()) {
                case 1:
                    throw new NoClassDefFoundError("on purpose");
                case 2:
                    throw new StackOverflowError("on purpose");
                default:
                    return LONG;
            }
        });

        Await.until("it goes on", () -> turns.get() == 3);
    }

    @Test
    void a_failure_that_cannot_even_be_told_of_for_want_of_memory_does_not_end_it() {
        loop.start(() -> {
            if (turns.incrementAndGet() < 3) {
                throw new Untold();
            }
            return LONG;
        });

        Await.until("it goes on", () -> turns.get() == 3);
    }

    /** As when there is no memory for a line in the log. */
    private static final class Untold extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new OutOfMemoryError("on purpose, as if");
        }
    }

    @Test
    void an_interrupt_that_a_turn_leaves_behind_shortens_no_rest_and_does_not_reach_the_next_turn() {
        AtomicBoolean reached = new AtomicBoolean();
        loop.start(() -> {
            reached.compareAndSet(false, Thread.currentThread().isInterrupted());
            if (turns.incrementAndGet() == 1) {
                Thread.currentThread().interrupt();
                return Duration.ZERO;
            }
            return LONG;
        });
        Await.until("the second turn is taken", () -> turns.get() == 2);

        assertFalse(reached.get());
    }

    @Test
    void a_loop_whose_thread_has_ended_is_started_anew_unless_it_was_closed() throws InterruptedException {
        AtomicInteger threads = new AtomicInteger();
        Loop dying = new Loop(
                "dying",
                Loop.BACKOFF_MILLIS_MIN,
                Loop.BACKOFF_MILLIS_MAX,
                failed -> false,
                task -> threads.incrementAndGet() == 1 ? new Thread(() -> {}) : new Thread(task));
        assertFalse(dying.revive(), "it was never started");
        dying.start(() -> {
            turns.incrementAndGet();
            return LONG;
        });
        Await.until("it is found dead", dying::revive);
        Await.until("it takes turns", () -> turns.get() == 1);
        assertFalse(dying.revive(), "it lives");
        dying.closeSoon();
        assertTrue(dying.awaitEnd(Await.LIMIT));

        assertFalse(dying.revive(), "it was closed");
        assertEquals(2, threads.get());
    }

    @Test
    void a_nudge_ends_a_long_rest() {
        loop.start(() -> {
            turns.incrementAndGet();
            return LONG;
        });
        for (int expected = 1; expected <= 100; expected++) {
            int before = expected;
            Await.until("turn " + before + " is taken", () -> turns.get() >= before);
            loop.nudge();
        }

        Await.until("the last nudge is followed by a turn", () -> turns.get() >= 101);
    }

    @Test
    void a_nudge_during_a_turn_is_not_lost() {
        CountDownLatch inTurn = new CountDownLatch(1);
        AtomicBoolean mayEnd = new AtomicBoolean();
        loop.start(() -> {
            if (turns.incrementAndGet() == 1) {
                inTurn.countDown();
                Await.until("the turn may end", mayEnd::get);
            }
            return LONG;
        });
        Await.until("a turn is under way", () -> inTurn.getCount() == 0);

        loop.nudge();
        mayEnd.set(true);

        Await.until("another turn is taken", () -> turns.get() >= 2);
    }

    @Test
    void closing_ends_a_long_rest() throws InterruptedException {
        loop.start(() -> {
            turns.incrementAndGet();
            return LONG;
        });
        Await.until("a turn is taken", () -> turns.get() == 1);

        loop.closeSoon();

        assertTrue(loop.awaitEnd(Await.LIMIT));
        assertEquals(1, turns.get());
    }

    @Test
    void closing_ends_a_rest_after_failures_also_when_it_was_nudged_meanwhile() throws InterruptedException {
        Loop failing = new Loop("failing", LONG.toMillis(), LONG.toMillis(), failed -> false, Thread::new);
        failing.start(() -> {
            turns.incrementAndGet();
            throw new IllegalStateException("on purpose");
        });
        Await.until("a turn has failed", () -> turns.get() == 1);
        failing.nudge();
        Await.pass(Duration.ofMillis(50));

        failing.closeSoon();

        assertTrue(failing.awaitEnd(Await.LIMIT), "closing waits for the end of the back-off");
        assertEquals(1, turns.get());
    }

    @Test
    void the_present_turn_is_never_interrupted_by_closing() throws InterruptedException {
        AtomicBoolean mayEnd = new AtomicBoolean();
        AtomicBoolean interrupted = new AtomicBoolean();
        loop.start(() -> {
            turns.incrementAndGet();
            Await.until("the turn may end", mayEnd::get);
            interrupted.set(Thread.currentThread().isInterrupted());
            return LONG;
        });
        Await.until("a turn is under way", () -> turns.get() == 1);

        loop.closeSoon();
        assertFalse(loop.awaitEnd(Duration.ofMillis(20)));
        mayEnd.set(true);

        assertTrue(loop.awaitEnd(Await.LIMIT));
        assertFalse(interrupted.get());
        assertEquals(1, turns.get());
    }

    @Test
    void a_loop_that_was_never_started_or_waits_for_itself_has_ended() throws InterruptedException {
        assertTrue(new Loop("idle").awaitEnd(Duration.ZERO));
        AtomicBoolean ended = new AtomicBoolean();
        loop.start(() -> {
            loop.closeSoon();
            try {
                ended.set(loop.awaitEnd(LONG));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return LONG;
        });

        Await.until("it does not wait for itself", ended::get);
    }
}
