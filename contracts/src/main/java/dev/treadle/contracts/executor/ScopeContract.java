package dev.treadle.contracts.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Treadle;
import dev.treadle.job.Failure;
import dev.treadle.job.Fork;
import dev.treadle.job.HistoryEntry;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobScope;
import dev.treadle.job.StateName;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * That jobs can do things at the same time on the threads of an executor, and that nothing of that outlives them. Extend it,
 * hand over an executor, and it runs.
 */
public abstract class ScopeContract extends ScopeKills {
    /** For subclasses. */
    protected ScopeContract() {}

    @Test
    final void forks_run_at_the_same_time_and_give_what_they_made() {
        CyclicBarrier together = new CyclicBarrier(3);
        HistoryEntry end = run(4, job -> {
            try (JobScope scope = job.scope()) {
                Fork<Integer> one = scope.fork("one", () -> meet(together, 1));
                Fork<Integer> two = scope.fork("two", () -> meet(together, 2));
                Fork<@Nullable Void> three = scope.fork("three", () -> {
                    meet(together, 3);
                });
                scope.join();
                assertEquals(3, one.get() + two.get());
                assertEquals(Fork.State.SUCCEEDED, three.state());
            }
        });

        assertEquals(StateName.SUCCEEDED, end.next());
    }

    private static int meet(CyclicBarrier barrier, int value) throws Exception {
        barrier.await(30, TimeUnit.SECONDS);
        return value;
    }

    @Test
    final void threads_are_called_by_job_and_fork_while_they_run_it_and_as_before_after_that() {
        Set<String> names = new ConcurrentSkipListSet<>();
        List<String> around = new CopyOnWriteArrayList<>();
        AtomicReference<String> id = new AtomicReference<>("");
        run(4, job -> {
            id.set("job-" + job.jobId());
            around.add(nameOfThread());
            CyclicBarrier together = new CyclicBarrier(2);
            try (JobScope scope = job.scope()) {
                names.add(nameOfThread());
                for (String name : List.of("a", "b")) {
                    scope.fork(name, () -> {
                        names.add(nameOfThread());
                        meet(together, 0);
                        try (JobScope inner = job.scope()) {
                            inner.fork("c", () -> names.add(nameOfThread()));
                            inner.join();
                        }
                        names.add(nameOfThread());
                    });
                }
                scope.join();
            }
            around.add(nameOfThread());
        });

        String of = id.get();
        assertEquals(new TreeSet<>(Set.of(of, of + "/a", of + "/b", of + "/a/c", of + "/b/c")), new TreeSet<>(names));
        assertFalse(around.get(0).startsWith("job-"), around.get(0));
        assertEquals(around.get(0), around.get(1));
    }

    @Test
    final void threads_of_forks_are_called_as_before_when_other_jobs_get_them() {
        Set<String> names = new ConcurrentSkipListSet<>();
        // twice as many as one job needs: the threads of the last one's forks may still be on their way back
        Treadle on = start(8, job -> {
            CyclicBarrier together = new CyclicBarrier(4);
            try (JobScope scope = job.scope()) {
                for (int i = 0; i < 4; i++) {
                    scope.fork("fork", () -> meet(together, 0));
                }
                scope.join();
            }
            names.add(nameOfThread());
        });
        for (int i = 0; i < 20; i++) {
            assertEquals(
                    StateName.SUCCEEDED, ended(on, on.jobs().enqueue(new Do())).next());
        }

        assertTrue(names.stream().noneMatch(name -> name.startsWith("job-")), names::toString);
    }

    @Test
    final void the_context_of_a_job_is_current_in_its_code_and_its_forks_and_nowhere_else() {
        Set<String> wrong = new ConcurrentSkipListSet<>();
        // more jobs than threads: each thread has several, one after another
        Treadle on = start(4, job -> {
            check(wrong, "job", job);
            try (JobScope scope = job.scope()) {
                for (String name : List.of("a", "b")) {
                    scope.fork(name, () -> {
                        check(wrong, "fork", job);
                        try (JobScope inner = job.scope()) {
                            inner.fork("c", () -> check(wrong, "fork of a fork", job));
                            inner.join();
                        }
                        check(wrong, "fork after its forks", job);
                    });
                }
                scope.join();
            }
            check(wrong, "job after its forks", job);
        });
        List<JobId> jobs = IntStream.range(0, 20)
                .mapToObj(i -> on.jobs().enqueue(new Do()))
                .toList();
        jobs.forEach(job -> assertEquals(StateName.SUCCEEDED, ended(on, job).next()));

        assertEquals(Set.of(), wrong);
        assertNull(JobContext.currentOrNull());
    }

    private static void check(Set<String> wrong, String where, JobContext expected) {
        JobContext current = JobContext.currentOrNull();
        if (current == null || !current.jobId().equals(expected.jobId())) {
            wrong.add(where + " has " + (current == null ? "none" : "that of another job"));
        }
    }

    private static String nameOfThread() {
        return Thread.currentThread().getName();
    }

    @Test
    final void a_fork_that_fails_interrupts_its_siblings_and_the_join_throws_what_it_threw() {
        CountDownLatch sleeps = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        RuntimeException thrown = new IllegalStateException("no stock");
        HistoryEntry end = run(3, job -> {
            try (JobScope scope = job.scope()) {
                Fork<String> sibling = scope.fork("update-order", () -> {
                    sleeps.countDown();
                    return sleepUntil(interrupted);
                });
                Fork<String> failing = scope.fork("update-inventory", () -> {
                    sleeps.await();
                    throw thrown;
                });
                assertEquals(thrown, assertThrows(IllegalStateException.class, scope::join));
                assertEquals(0, interrupted.getCount());
                assertEquals(Fork.State.FAILED, failing.state());
                assertEquals(thrown, failing.exception());
                assertEquals(Fork.State.CANCELLED, sibling.state());
                assertThrows(IllegalStateException.class, sibling::get);
                Fork<Integer> late = scope.fork("late", () -> 1);
                assertEquals(Fork.State.CANCELLED, late.state());
                assertFalse(Thread.currentThread().isInterrupted());
                scope.join();
            }
        });

        Failure why = end.why();
        assertNotNull(why);
        assertEquals(IllegalStateException.class.getName(), why.type());
        assertEquals("no stock", why.message());
    }

    @Test
    final void a_fork_that_fails_ends_what_its_siblings_have_forked_in_their_turn() {
        CountDownLatch sleep = new CountDownLatch(2);
        CountDownLatch interrupted = new CountDownLatch(2);
        HistoryEntry end = run(8, job -> {
            try (JobScope scope = job.scope()) {
                scope.fork("outer", () -> {
                    try (JobScope inner = job.scope()) {
                        for (int i = 0; i < 2; i++) {
                            inner.fork("inner", () -> {
                                sleep.countDown();
                                return sleepUntil(interrupted);
                            });
                        }
                        awaitIgnoringInterrupts(interrupted); // its own interrupt is of no use
                        inner.join();
                    }
                });
                scope.fork("failing", () -> {
                    sleep.await();
                    throw new IllegalStateException("enough");
                });
                scope.join();
            }
        });

        assertEquals(0, interrupted.getCount());
        Failure why = end.why();
        assertNotNull(why);
        assertEquals("enough", why.message());
    }

    @Test
    final void a_scope_that_is_left_without_join_cuts_its_forks_off_waits_for_them_and_says_so() {
        CountDownLatch sleeps = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        HistoryEntry end = run(2, job -> {
            try (JobScope scope = job.scope()) {
                scope.fork("forgotten", () -> {
                    sleeps.countDown();
                    return sleepUntil(interrupted);
                });
                sleeps.await();
            } finally {
                assertEquals(0, interrupted.getCount());
            }
        });

        Failure why = end.why();
        assertNotNull(why);
        assertTrue(String.valueOf(why.message()).contains("without join()"), why::message);
    }

    @Test
    final void a_scope_that_is_never_closed_ends_with_the_job() {
        CountDownLatch sleeps = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        HistoryEntry end = run(2, job -> {
            job.scope().fork("forgotten", () -> {
                sleeps.countDown();
                return sleepUntil(interrupted);
            });
            sleeps.await();
        });

        assertEquals(0, interrupted.getCount());
        assertEquals(StateName.FAILED, end.next());
    }

    @Test
    final void one_worker_is_enough_for_a_job_that_forks_scopes_within_scopes() {
        AtomicInteger done = new AtomicInteger();
        HistoryEntry end = run(1, job -> {
            forkThreeDeep(job, done, 3);
        });

        assertEquals(StateName.SUCCEEDED, end.next());
        assertEquals(3 + 9 + 27, done.get());
    }

    private static void forkThreeDeep(JobContext job, AtomicInteger done, int depth) throws Exception {
        try (JobScope scope = job.scope()) {
            for (int i = 0; i < 3; i++) {
                scope.fork("depth-" + depth, () -> {
                    done.incrementAndGet();
                    if (depth > 1) {
                        forkThreeDeep(job, done, depth - 1);
                    }
                });
            }
            scope.join();
        }
    }

    @Test
    final void many_jobs_that_all_fork_on_few_workers_all_end() {
        AtomicInteger done = new AtomicInteger();
        Treadle on = start(3, job -> forkThreeDeep(job, done, 2));
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            ids.add(on.jobs().enqueue(new Do()));
        }

        ids.forEach(id -> assertEquals(StateName.SUCCEEDED, ended(on, id).next()));
        assertEquals(200 * (3 + 9), done.get());
        until("all permits are free", () -> on.server().orElseThrow().running() == 0);
    }

    @Test
    final void after_a_scope_is_closed_no_fork_of_it_runs_or_begins() {
        AtomicInteger running = new AtomicInteger();
        HistoryEntry end = run(6, job -> {
            for (int round = 0; round < 300; round++) {
                int failing = round % 7;
                try (JobScope scope = job.scope()) {
                    for (int i = 0; i < 6; i++) {
                        int which = i;
                        scope.fork("fork", () -> {
                            running.incrementAndGet();
                            try {
                                if (which == failing) {
                                    throw new IllegalStateException("round");
                                }
                                Thread.onSpinWait();
                            } finally {
                                running.decrementAndGet();
                            }
                        });
                    }
                    scope.join();
                } catch (IllegalStateException e) {
                    assertEquals("round", e.getMessage());
                }
                assertEquals(0, running.get());
            }
        });

        assertEquals(StateName.SUCCEEDED, end.next());
        assertEquals(0, running.get());
    }

    @Test
    final void a_job_that_starts_while_forks_have_the_threads_waits_for_one_and_gets_it() {
        CountDownLatch runs = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        CountDownLatch secondRuns = new CountDownLatch(1);
        AtomicInteger jobs = new AtomicInteger();
        Treadle on = start(2, job -> {
            if (jobs.incrementAndGet() == 1) {
                try (JobScope scope = job.scope()) {
                    scope.fork("long", () -> {
                        runs.countDown();
                        mayEnd.await();
                    });
                    runs.await();
                    scope.join();
                }
                // the thread that the fork had is free, and the only one
                await(secondRuns);
            } else {
                secondRuns.countDown();
            }
        });
        JobId first = on.jobs().enqueue(new Do());
        await(runs);
        assertEquals(1, on.server().orElseThrow().running());
        JobId second = on.jobs().enqueue(new Do());
        if (newExecutor().lendsBeyondWorkers()) {
            assertEquals(StateName.SUCCEEDED, ended(on, second).next());
        }
        mayEnd.countDown();

        assertEquals(StateName.SUCCEEDED, ended(on, first).next());
        assertEquals(StateName.SUCCEEDED, ended(on, second).next());
        assertEquals(2, jobs.get());
    }
}
