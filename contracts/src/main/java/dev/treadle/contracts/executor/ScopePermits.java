package dev.treadle.contracts.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.Failure;
import dev.treadle.job.HistoryEntry;
import dev.treadle.job.JobContext.Held;
import dev.treadle.job.JobScope;
import dev.treadle.job.StateName;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** That forks and the code that joins them never wait for each other over permits. Part of {@link ScopeContract}. */
@SuppressWarnings("try") // what is held need not be named again
abstract class ScopePermits extends ScopeWords {
    @Test
    final void a_fork_that_asks_for_what_its_parent_holds_fails_and_says_why() {
        HistoryEntry end = run(4, job -> {
            try (Held db = job.use("db");
                    JobScope scope = job.scope()) {
                scope.fork("asks", () -> job.using("db", () -> {}));
                scope.join();
            }
        });

        assertRefused(end, "'db'");
        assertAllGivenBack();
    }

    @Test
    final void a_fork_of_a_fork_that_asks_for_what_the_job_holds_fails_also_with_one_thread_for_all() {
        HistoryEntry end = run(1, job -> {
            try (Held db = job.use("db");
                    JobScope scope = job.scope()) {
                scope.fork("forks", () -> {
                    try (JobScope inner = job.scope()) {
                        inner.fork("asks", () -> job.using("db", () -> {}));
                        inner.join();
                    }
                });
                scope.join();
            }
        });

        assertRefused(end, "'db'");
        assertAllGivenBack();
    }

    @Test
    final void a_fork_that_waits_for_what_its_parent_has_taken_meanwhile_fails_when_that_joins() {
        CountDownLatch taken = new CountDownLatch(1);
        HistoryEntry end = run(4, job -> {
            try (JobScope scope = job.scope()) {
                scope.fork("asks", () -> {
                    await(taken);
                    job.using("db", () -> {});
                });
                try (Held db = job.use("db")) {
                    taken.countDown();
                    scope.join();
                }
            }
        });

        assertRefused(end, "'db'");
        assertAllGivenBack();
    }

    @Test
    final void forks_take_turns_with_each_other_and_with_their_parent_while_that_does_not_join() {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        HistoryEntry end = run(4, job -> {
            try (JobScope scope = job.scope()) {
                for (int i = 0; i < 20; i++) {
                    scope.fork("fork-" + i, () -> job.using("db", () -> alone(inside, done)));
                }
                for (int i = 0; i < 20; i++) {
                    job.using("db", () -> alone(inside, done));
                }
                scope.join();
            }
        });

        assertEquals(StateName.SUCCEEDED, end.next());
        assertEquals(40, done.get());
        assertAllGivenBack();
    }

    private static void alone(AtomicInteger inside, AtomicInteger done) {
        assertEquals(1, inside.incrementAndGet());
        done.incrementAndGet();
        inside.decrementAndGet();
    }

    @Test
    final void a_fork_may_ask_for_what_comes_after_what_its_parent_holds_and_for_nothing_before_it() {
        HistoryEntry end = run(4, job -> {
            try (Held db = job.use("db");
                    JobScope scope = job.scope()) {
                scope.fork("asks", () -> job.using("pdf", () -> {}));
                scope.join();
            }
            try (Held pdf = job.use("pdf");
                    JobScope scope = job.scope()) {
                scope.fork("asks", () -> job.using("db", () -> {}));
                IllegalStateException refused = assertThrows(IllegalStateException.class, scope::join);
                assertTrue(String.valueOf(refused.getMessage()).contains("two jobs could wait"), refused::toString);
            }
        });

        assertEquals(StateName.SUCCEEDED, end.next());
        assertAllGivenBack();
    }

    private static void assertRefused(HistoryEntry end, String what) {
        Failure why = end.why();
        assertNotNull(why);
        assertEquals(IllegalStateException.class.getName(), why.type());
        assertTrue(String.valueOf(why.message()).contains("A fork asks for " + what), why::message);
    }

    private void assertAllGivenBack() {
        until(
                "all is given back",
                () -> running().server().orElseThrow().resources().stream()
                        .allMatch(resource -> resource.inUse() == 0 && resource.waiting() == 0));
    }
}
