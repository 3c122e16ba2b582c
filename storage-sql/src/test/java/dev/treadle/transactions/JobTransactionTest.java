package dev.treadle.transactions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.api.JobOptions;
import dev.treadle.job.HistoryEntry;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.KeyRule;
import dev.treadle.job.LeaseLostException;
import dev.treadle.job.RetryPolicy;
import dev.treadle.job.StateName;
import dev.treadle.storage.sql.Dialect;
import dev.treadle.storage.sql.EmptyDatabases;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A job's effect and its success in one commit. */
@ParameterizedClass
@EnumSource(WorkDatabase.Kind.class)
class JobTransactionTest {
    private final WorkDatabase work;

    JobTransactionTest(WorkDatabase.Kind kind) {
        this.work = new WorkDatabase(kind);
    }

    @AfterEach
    void close() throws SQLException {
        work.close();
    }

    @Test
    void effect_result_and_success_come_together() throws Exception {
        JobId id = work.run(job -> job.transaction(connection -> {
            WorkDatabase.effect(connection, 1);
            return "one";
        }));

        assertEquals(
                "one", work.jobs().await(id, String.class, WorkDatabase.SOON).orElseThrow());
        assertEquals(1, work.effects());
        List<HistoryEntry> history = work.jobs().find(id).orElseThrow().history();
        assertEquals(1, history.size());
        assertEquals(HistoryEntry.Event.COMPLETED, history.get(0).event());
        assertNotNull(history.get(0).ranFor());
    }

    @Test
    void nothing_is_seen_before_the_commit() throws Exception {
        AtomicReference<StateName> inside = new AtomicReference<>();
        JobId id = work.run(job -> job.transaction(connection -> {
            WorkDatabase.effect(connection, 1);
            assertEquals(0, work.effects());
            inside.set(work.stateOf(job.jobId()));
            return null;
        }));

        work.untilEnded(id, StateName.SUCCEEDED);
        assertEquals(StateName.PROCESSING, inside.get());
    }

    @Test
    void the_job_has_succeeded_whatever_its_code_does_after_the_commit() throws Exception {
        JobId returns = work.run(job -> {
            job.transaction(connection -> "committed");
            return "returned";
        });
        JobId fails = work.run(job -> {
            job.transaction(connection -> WorkDatabase.effect(connection, 1));
            throw new IllegalStateException("too late");
        });

        assertEquals(
                "committed",
                work.jobs().await(returns, String.class, WorkDatabase.SOON).orElseThrow());
        work.untilEnded(fails, StateName.SUCCEEDED);
        work.untilIdle();
        assertEquals(1, work.attemptsOf(fails));
        assertEquals(1, work.effects());
        assertEquals(2, work.succeededHere(), "each is counted once");
    }

    @Test
    void a_call_that_throws_leaves_nothing_and_its_exception_comes_out() throws Exception {
        JobId id = work.run(job -> {
            assertThrows(
                    IOException.class,
                    () -> job.transaction(connection -> {
                        WorkDatabase.effect(connection, 1);
                        work.jobs().in(connection).enqueue(new WorkDatabase.Work("never"));
                        work.jobs().enqueue(new WorkDatabase.Work("never"));
                        throw new IOException("no");
                    }));
            return job.transaction(connection -> "another way");
        });

        assertEquals(
                "another way",
                work.jobs().await(id, String.class, WorkDatabase.SOON).orElseThrow());
        work.untilIdle();
        assertEquals(0, work.effects());
        assertEquals(List.of(), work.ranBeside());
    }

    @Test
    void a_failing_job_is_tried_again_and_has_one_effect() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        JobId id = work.run(job -> job.transaction(connection -> {
            WorkDatabase.effect(connection, 1);
            if (attempts.incrementAndGet() < 3) {
                throw new IllegalStateException("not yet");
            }
            return null;
        }));

        work.untilEnded(id, StateName.SUCCEEDED);
        assertEquals(3, work.attemptsOf(id));
        assertEquals(1, work.effects());
    }

    @Test
    void jobs_enqueued_in_it_are_seen_with_its_commit_and_run() throws Exception {
        JobId id = work.run(job -> job.transaction(connection -> {
            JobId joined = work.jobs().in(connection).enqueue(new WorkDatabase.Work("in"));
            JobId plain = work.jobs().enqueue(new WorkDatabase.Work("plain"));
            assertFalse(work.seenByOthers(joined));
            assertFalse(work.seenByOthers(plain));
            return null;
        }));

        work.untilEnded(id, StateName.SUCCEEDED);
        work.untilIdle();
        assertEquals(List.of("in", "plain"), work.ranBeside().stream().sorted().toList());
    }

    @Test
    void without_its_lease_nothing_of_the_effect_stays() throws Exception {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        JobId id = work.run(job -> {
            try {
                return job.transaction(connection -> {
                    WorkDatabase.effect(connection, 1);
                    work.jobs().with(WorkDatabase.OWN).cancel(job.jobId(), "test", "no more");
                    // as code that does not notice its interrupt
                    while (!Thread.interrupted()) {
                        Thread.onSpinWait();
                    }
                    return null;
                });
            } catch (LeaseLostException e) {
                thrown.set(e);
                return "as if nothing had been";
            }
        });

        work.untilEnded(id, StateName.CANCELLED);
        work.untilIdle();
        assertInstanceOf(LeaseLostException.class, thrown.get());
        assertEquals(0, work.effects());
        assertEquals(0, work.succeededHere());
    }

    @Test
    void a_run_has_one_transaction_at_a_time_and_one_commit() throws Exception {
        JobId id = work.run(job -> {
            job.transaction(connection -> {
                assertRefused("open already", () -> job.transaction(other -> WorkDatabase.effect(other, 1)));
                return null;
            });
            assertRefused("has been committed", () -> job.transaction(other -> WorkDatabase.effect(other, 2)));
            return null;
        });

        work.untilEnded(id, StateName.SUCCEEDED);
        work.untilIdle();
        assertEquals(List.of(), work.unexpected());
        assertEquals(0, work.effects());
    }

    @Test
    void forks_other_threads_and_runs_that_have_ended_have_none() throws Exception {
        AtomicReference<JobContext> left = new AtomicReference<>();
        JobId id = work.run(job -> {
            left.set(job);
            try (var scope = job.scope()) {
                scope.fork("fork", () -> {
                    assertRefused("fork", () -> job.transaction(other -> WorkDatabase.effect(other, 1)));
                    return null;
                });
                scope.join();
            }
            ExecutionException thrown = assertThrows(
                    ExecutionException.class,
                    () -> CompletableFuture.runAsync(() -> job.transaction(other -> WorkDatabase.unchecked(other, 2)))
                            .get());
            assertInstanceOf(IllegalStateException.class, thrown.getCause());
            return "good";
        });

        assertEquals(
                "good", work.jobs().await(id, String.class, WorkDatabase.SOON).orElseThrow());
        work.untilIdle();
        assertRefused("has ended", () -> left.get().transaction(other -> WorkDatabase.effect(other, 3)));
        assertEquals(0, work.effects());
    }

    @Test
    void the_call_cannot_end_the_transaction_by_itself() throws Exception {
        JobId id = work.run(job -> job.transaction(connection -> {
            WorkDatabase.effect(connection, 1);
            assertThrows(SQLException.class, connection::commit);
            assertThrows(SQLException.class, connection::rollback);
            assertThrows(SQLException.class, () -> connection.setAutoCommit(true));
            assertThrows(SQLException.class, () -> connection.abort(Runnable::run));
            connection.close();
            var before = connection.setSavepoint();
            WorkDatabase.effect(connection, 2);
            connection.rollback(before);
            return "whole";
        }));

        assertEquals(
                "whole", work.jobs().await(id, String.class, WorkDatabase.SOON).orElseThrow());
        assertEquals(1, work.effects());
    }

    @Test
    void the_next_of_its_key_begins_after_the_commit_and_all_run_once() throws Exception {
        JobOptions keyed = JobOptions.DEFAULT.withKey(KeyRule.mailbox("box"));
        AtomicInteger at = new AtomicInteger();
        List<JobId> ids = IntStream.range(0, 10)
                .mapToObj(n -> work.run(keyed, job -> {
                    assertEquals(1, at.incrementAndGet(), "alone with its key");
                    return job.transaction(connection -> {
                        WorkDatabase.effect(connection, n);
                        at.decrementAndGet();
                        return "result " + n;
                    });
                }))
                .toList();

        for (int n = 0; n < 10; n++) {
            assertEquals(
                    "result " + n,
                    work.jobs()
                            .await(ids.get(n), String.class, WorkDatabase.SOON)
                            .orElseThrow());
        }
        work.untilIdle();
        assertEquals(10, work.effects());
        assertEquals(10, work.succeededHere());
    }

    @Test
    void works_on_a_data_source_of_the_application_and_on_none_of_another_database() throws Exception {
        JobId id = work.run(job -> job.transaction(work.database(), connection -> {
            WorkDatabase.effect(connection, 1);
            return "theirs";
        }));
        assertEquals(
                "theirs", work.jobs().await(id, String.class, WorkDatabase.SOON).orElseThrow());
        assertEquals(1, work.effects());

        try (var elsewhere = EmptyDatabases.of(Dialect.H2)) {
            JobId refused = work.run(job -> {
                IllegalArgumentException e = assertThrows(
                        IllegalArgumentException.class, () -> job.transaction(elsewhere, connection -> "never"));
                return e.getMessage();
            });
            String said =
                    work.jobs().await(refused, String.class, WorkDatabase.SOON).orElseThrow();
            assertTrue(said.contains("storage's database"), said);
        }
    }

    @Test
    void connections_come_back_as_they_were() throws Exception {
        for (int n = 0; n < 12; n++) {
            int number = n;
            JobId id = work.run(
                    JobOptions.DEFAULT.withRetries(RetryPolicy.NEVER),
                    job -> job.transaction(connection -> {
                        WorkDatabase.effect(connection, number);
                        if (number % 3 == 0) {
                            throw new IllegalStateException("no");
                        }
                        if (number % 3 == 1) {
                            connection.createStatement().execute("select * from no_such_table");
                        }
                        return null;
                    }));
            work.untilEnded(id, number % 3 == 2 ? StateName.SUCCEEDED : StateName.FAILED);
        }
        assertEquals(4, work.effects());
        try (Connection connection = work.ownPool().getConnection()) {
            assertTrue(connection.getAutoCommit());
        }
    }

    @Test
    void a_timeout_ends_work_that_notices_it_and_rolls_it_back() throws Exception {
        JobId id = work.run(
                JobOptions.DEFAULT.withTimeout(Duration.ofMillis(300)).withRetries(RetryPolicy.NEVER),
                job -> job.transaction(connection -> {
                    WorkDatabase.effect(connection, 1);
                    Thread.sleep(WorkDatabase.SOON.toMillis());
                    return null;
                }));

        work.untilEnded(id, StateName.FAILED);
        assertEquals(0, work.effects());
    }

    private void assertRefused(String why, Executable call) {
        try {
            IllegalStateException refused = assertThrows(IllegalStateException.class, call);
            assertTrue(String.valueOf(refused.getMessage()).contains(why), refused::toString);
        } catch (AssertionError e) {
            work.unexpected(e);
            throw e;
        }
    }
}
