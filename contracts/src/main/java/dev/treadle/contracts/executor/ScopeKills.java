package dev.treadle.contracts.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Treadle;
import dev.treadle.api.JobOptions;
import dev.treadle.contracts.GrantedTime;
import dev.treadle.job.Failure;
import dev.treadle.job.Fork;
import dev.treadle.job.HistoryEntry;
import dev.treadle.job.HistoryEntry.Event;
import dev.treadle.job.JobId;
import dev.treadle.job.JobScope;
import dev.treadle.job.JobTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** That whatever ends a job ends its forks too, however deep they are. Part of {@link ScopeContract}. */
abstract class ScopeKills extends ScopePermits {
    /** Within which all forks of a running job are told to end, in milliseconds. */
    private static final long TOLD_MILLIS_MAX = 1_500;
    /** Long enough for all forks to have begun by then. */
    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    @Test
    final void cancelling_a_job_interrupts_all_of_its_forks() {
        assertKills(Kill.CANCEL, true);
    }

    @Test
    final void cancelling_a_job_interrupts_its_forks_also_while_it_does_not_join() {
        assertKills(Kill.CANCEL, false);
    }

    @Test
    final void the_forks_of_a_job_whose_time_is_over_are_interrupted() {
        assertKills(Kill.TIMEOUT, true);
    }

    @Test
    final void the_forks_of_a_job_are_interrupted_when_its_server_stops() {
        assertKills(Kill.STOP, true);
    }

    private enum Kill {
        CANCEL,
        TIMEOUT,
        STOP
    }

    /** Two forks; one of them has forked two. All but the outer, which joins, sleep. */
    private void assertKills(Kill kill, boolean joins) {
        CountDownLatch sleep = new CountDownLatch(3);
        CountDownLatch interrupted = new CountDownLatch(3);
        AtomicInteger begun = new AtomicInteger();
        Treadle on = start(8, job -> {
            try (JobScope scope = job.scope()) {
                Callable<String> sleeper = () -> {
                    sleep.countDown();
                    return sleepUntil(interrupted);
                };
                scope.fork("sleeps", sleeper);
                scope.fork("forks", () -> {
                    try (JobScope inner = job.scope()) {
                        inner.fork("one", sleeper);
                        inner.fork("two", sleeper);
                        inner.join();
                    }
                });
                if (!joins) {
                    awaitIgnoringInterrupts(interrupted);
                    assertNothingBegins(scope, begun);
                    try (JobScope another = job.scope()) {
                        assertNothingBegins(another, begun);
                    }
                }
                scope.join();
            }
        });
        Duration timeout = kill == Kill.TIMEOUT ? TIMEOUT : Duration.ofMinutes(5);
        JobId id = on.jobs().with(JobOptions.DEFAULT.withTimeout(timeout)).enqueue(new Do());
        await(sleep);
        long untilAsked = kill == Kill.TIMEOUT ? TIMEOUT.toMillis() : 0;
        try (GrantedTime time = GrantedTime.begin()) {
            switch (kill) {
                case CANCEL -> on.jobs().cancel(id, "anna", null);
                case STOP -> on.close();
                case TIMEOUT -> await(interrupted);
            }

            await(interrupted);
            long millis = time.passed().toMillis() - untilAsked;
            assertTrue(millis < TOLD_MILLIS_MAX, () -> "told after " + millis + " ms");
        }
        until("its run has ended", () -> on.server().orElseThrow().running() == 0);
        List<HistoryEntry> history = on.jobs().find(id).orElseThrow().history();
        assertEquals(0, begun.get());
        assertNull(wrong.get());
        if (kill == Kill.TIMEOUT) {
            Failure why = ended(on, id).why();
            assertNotNull(why);
            assertEquals(JobTimeoutException.class.getName(), why.type());
        } else {
            assertEquals(
                    kill == Kill.STOP ? Event.STOPPED : Event.CANCELLED,
                    history.get(0).event());
        }
    }

    private static void assertNothingBegins(JobScope scope, AtomicInteger begun) {
        assertEquals(
                Fork.State.CANCELLED,
                scope.fork("too late", begun::incrementAndGet).state());
    }
}
