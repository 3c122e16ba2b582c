package dev.treadle.transactions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.Failure;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobScope;
import dev.treadle.job.JobStep;
import dev.treadle.job.LeaseLostException;
import dev.treadle.job.StateName;
import dev.treadle.job.StepNotKeptException;
import dev.treadle.job.StepType;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A step's effect and its record in one commit. */
@ParameterizedClass
@EnumSource(WorkDatabase.Kind.class)
class StepTransactionTest {
    private final WorkDatabase work;
    private final List<Object> seen = new CopyOnWriteArrayList<>();

    StepTransactionTest(WorkDatabase.Kind kind) {
        this.work = new WorkDatabase(kind);
    }

    @AfterEach
    void close() throws SQLException {
        work.close();
    }

    private static void failIn(JobContext job, int attempt) {
        if (job.attempt() == attempt) {
            throw new IllegalStateException("attempt " + attempt + " fails");
        }
    }

    @Test
    void effect_and_record_come_together_and_both_only_once() throws Exception {
        JobId id = work.run(job -> {
            seen.add(job.step("book", connection -> {
                WorkDatabase.effect(connection, 1);
                assertEquals(0, work.effects(), "seen before the commit");
                return job.attempt();
            }));
            if (job.attempt() == 1) {
                assertEquals(1, work.effects());
            }
            failIn(job, 1);
            seen.add(job.step("list", new StepType<List<String>>() {}, connection -> {
                WorkDatabase.effect(connection, 2);
                return List.of("a", "b");
            }));
            failIn(job, 2);
            job.step("own pool", work.ownPool(), connection -> WorkDatabase.effect(connection, 3));
            failIn(job, 3);
            return null;
        });

        work.untilEnded(id, StateName.SUCCEEDED);
        assertEquals(3, work.effects());
        assertEquals(List.of(1, 1, List.of("a", "b"), 1, List.of("a", "b"), 1, List.of("a", "b")), seen);
        assertEquals(
                List.of("book", "list", "own pool"),
                work.jobs().steps(id).stream().map(JobStep::name).toList());
    }

    @Test
    void a_step_that_throws_leaves_nothing_and_may_be_tried_again() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        JobId id = work.run(job -> {
            for (int i = 0; i < 2; i++) {
                assertThrows(
                        IOException.class,
                        () -> job.step("book", connection -> {
                            WorkDatabase.effect(connection, 1);
                            tries.incrementAndGet();
                            throw new IOException("the printer burns");
                        }));
            }
            assertEquals(0, work.effects());
            failIn(job, 1);
            job.step("book", connection -> WorkDatabase.effect(connection, 1));
            return null;
        });

        work.untilEnded(id, StateName.SUCCEEDED);
        assertEquals(4, tries.get());
        assertEquals(1, work.effects());
    }

    @Test
    void what_cannot_be_recorded_is_rolled_back_and_the_job_gives_up() throws Exception {
        JobId id = work.run(job -> job.step("book", connection -> {
            WorkDatabase.effect(connection, 1);
            return "x".repeat(70_000);
        }));

        work.untilEnded(id, StateName.FAILED);
        assertEquals(0, work.effects());
        assertEquals(1, work.attemptsOf(id));
        Failure why = work.jobs().find(id).orElseThrow().history().get(0).why();
        assertEquals(StepNotKeptException.class.getName(), why.type());
        assertTrue(why.message().contains("rolled back") && why.message().contains("65536"), why::message);
    }

    @Test
    void a_step_of_a_run_that_has_lost_its_lease_leaves_nothing() throws Exception {
        JobId id = work.run(job -> {
            seen.add(assertThrows(
                    LeaseLostException.class,
                    () -> job.step("book", connection -> {
                        WorkDatabase.effect(connection, 1);
                        work.jobs().with(WorkDatabase.OWN).cancel(job.jobId(), "a test", null);
                        return null;
                    })));
            return null;
        });

        work.untilEnded(id, StateName.CANCELLED);
        work.untilIdle();
        assertEquals(1, seen.size());
        assertEquals(0, work.effects());
        assertEquals(List.of(), work.jobs().steps(id));
    }

    @Test
    void jobs_that_a_step_enqueues_are_there_once() throws Exception {
        JobId id = work.run(job -> {
            job.step("spawn", connection -> {
                work.jobs().enqueue(new WorkDatabase.Work("child"));
                work.jobs().in(connection).enqueue(new WorkDatabase.Work("child"));
                return null;
            });
            failIn(job, 1);
            return null;
        });

        work.untilEnded(id, StateName.SUCCEEDED);
        work.untilIdle();
        assertEquals(List.of("child", "child"), work.ranBeside());
    }

    @Test
    void steps_of_both_kinds_come_before_the_transaction_that_ends_the_job() throws Exception {
        JobId id = work.run(job -> {
            int price = job.step("price", () -> job.attempt());
            job.step("book", connection -> WorkDatabase.effect(connection, price));
            failIn(job, 1);
            return job.transaction(connection -> {
                WorkDatabase.effect(connection, 2);
                return price;
            });
        });

        assertEquals("1", work.jobs().await(id, String.class, WorkDatabase.SOON).orElseThrow());
        assertEquals(2, work.effects());
    }

    @Test
    void within_a_transaction_of_the_job_or_in_a_fork_it_is_refused() throws Exception {
        JobId id = work.run(job -> {
            seen.add(job.transaction(connection -> {
                assertThrows(IllegalStateException.class, () -> job.step("a", other -> null));
                return "refused";
            }));
            return null;
        });
        work.untilEnded(id, StateName.SUCCEEDED);
        JobId forking = work.run(job -> {
            try (JobScope scope = job.scope()) {
                scope.fork("one", () -> assertThrows(IllegalStateException.class, () -> job.step("b", other -> null)));
                scope.join();
            }
            seen.add("forked");
            return null;
        });

        work.untilEnded(forking, StateName.SUCCEEDED);
        assertEquals(List.of("refused", "forked"), seen);
    }
}
