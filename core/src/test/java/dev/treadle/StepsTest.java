package dev.treadle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobScope;
import dev.treadle.job.JobStep;
import dev.treadle.job.StateName;
import java.math.BigDecimal;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Steps of jobs: what is recorded is done once, whatever becomes of the attempts. */
class StepsTest extends StepFixture {
    @Test
    void a_step_is_recorded_before_it_returns_and_given_back_at_the_next_attempt() {
        Receipt paid = new Receipt("r-1", new BigDecimal("12.50"), "DE12");
        List<Receipt> seen = new CopyOnWriteArrayList<>();
        List<List<String>> then = new CopyOnWriteArrayList<>();

        JobId id = succeeds((order, job) -> {
            seen.add(job.step("pay", () -> did("pay", paid)));
            then.add(recorded(job.jobId()));
            failIn(job, 1);
            job.step("mail", () -> done.add("mail"));
            failIn(job, 2);
        });

        assertEquals(List.of("pay", "mail"), done);
        assertEquals(List.of(paid, paid, paid), seen);
        assertEquals(
                List.of("pay={\"id\":\"r-1\",\"amount\":12.50,\"account\":\"DE12\"}"), then.get(0), "before it failed");
        assertEquals(2, recorded(id).size());
        List<JobStep> steps = treadle().jobs().steps(id);
        assertEquals(List.of(1, 2), steps.stream().map(JobStep::attempt).toList());
        assertEquals(Set.of("account"), steps.get(0).secrets());
    }

    @Test
    void a_step_that_throws_is_not_recorded_and_is_done_again() {
        JobId id = succeeds((order, job) -> job.step("pay", () -> {
            done.add("try " + job.attempt());
            failIn(job, 1);
            return "paid";
        }));

        assertEquals(List.of("try 1", "try 2"), done);
        assertEquals(List.of("pay=\"paid\""), recorded(id));
    }

    @Test
    void a_step_that_threw_may_be_tried_again_in_the_same_run() {
        JobId id = succeeds((order, job) -> {
            assertThrows(
                    IllegalStateException.class,
                    () -> job.step("pay", () -> {
                        throw new IllegalStateException("busy");
                    }));
            job.step("pay", () -> done.add("pay"));
        });

        assertEquals(1, recorded(id).size());
        assertEquals(List.of("pay"), done);
    }

    @Test
    void names_identify_steps_and_their_order_does_not() {
        JobId id = succeeds((order, job) -> {
            if (job.attempt() == 1) {
                job.step("a", () -> did("a", 1));
                job.step("b", () -> did("b", 2));
                failIn(job, 1);
            }
            done.add("b is " + job.step("b", () -> did("b again", 0)));
            job.step("new", () -> done.add("new"));
            done.add("a is " + job.step("a", () -> did("a again", 0)));
            job.step("a, renamed", () -> done.add("renamed"));
        });

        assertEquals(List.of("a", "b", "b is 2", "new", "a is 1", "renamed"), done);
        assertEquals(4, recorded(id).size());
    }

    @Test
    void a_name_that_is_used_twice_in_one_run_is_refused() {
        succeeds(catching(job -> {
            job.step("page", () -> did("first", 1));
            job.step("page", () -> did("second", 2));
        }));

        assertEquals(List.of("first"), done);
        assertMessage(IllegalStateException.class, "page", "\"page-\" + n");
    }

    @Test
    void a_bad_name_is_refused() {
        for (String name : List.of("", " ", "x".repeat(JobStep.NAME_CHARS_MAX + 1), "a\nb", "a\u0000", "\ud83d")) {
            caught.set(null);
            JobId id = succeeds(catching(job -> job.step(name, () -> did("done", 1))));

            assertMessage(IllegalArgumentException.class, "name of a step");
            assertEquals(List.of(), recorded(id));
        }
        assertEquals(List.of(), done);
        JobId id = succeeds((order, job) -> job.step("x".repeat(JobStep.NAME_CHARS_MAX), () -> did("done", 1)));
        assertEquals(1, recorded(id).size());
    }

    @Test
    void a_run_that_lost_its_lease_records_nothing_and_its_code_is_told() {
        JobId id = run(catching(job -> {
            job.step(
                    "first",
                    () -> did(
                            "first",
                            storage.cancel(job.jobId(), new dev.treadle.job.OperatorNote("a", null))
                                    .toString()));
        }));
        Work.untilIn(StateName.CANCELLED, storage, id);

        Await.until("the code was told", () -> caught.get() != null);
        assertMessage(dev.treadle.job.LeaseLostException.class, "does not hold its lease any more");
        assertEquals(List.of(), recorded(id));
    }

    @Test
    void where_the_storage_has_no_transactions_a_step_in_one_is_refused() {
        succeeds(catching(job -> job.step("book", connection -> did("book", 1))));

        assertEquals(List.of(), done);
        assertMessage(UnsupportedOperationException.class, "in memory", "SqlStorageProvider");
    }

    @Test
    void no_step_is_begun_after_the_run_has_ended() {
        AtomicReference<@Nullable JobContext> kept = new AtomicReference<>();
        succeeds((order, job) -> {
            job.step("a", () -> did("a", 1));
            kept.set(job);
        });
        JobContext over = java.util.Objects.requireNonNull(kept.get());

        Await.until("the run is over", () -> isOver(over));
        assertEquals(List.of("a"), done);
    }

    private boolean isOver(JobContext job) {
        try {
            job.step("a", () -> did("late", 1));
            throw new AssertionError("the name was used in this run");
        } catch (IllegalStateException e) {
            return String.valueOf(e.getMessage()).contains("has ended");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void forks_do_steps_at_the_same_time() {
        JobId id = succeeds((order, job) -> {
            try (JobScope scope = job.scope()) {
                for (int i = 0; i < 20; i++) {
                    int page = i;
                    scope.fork("page " + page, () -> job.step("page-" + page, () -> did("page-" + page, page)));
                }
                scope.join();
            }
            failIn(job, 1);
        });

        assertEquals(20, recorded(id).size());
        assertEquals(20, done.size());
    }

    @Test
    void run_again_keeps_what_was_done_and_run_from_start_does_it_again() {
        JobId id = succeeds((order, job) -> job.step("pay", () -> done.add("pay")));

        treadle().jobs().runAgain(id, "anna", null);
        Await.until("it ran again", () -> Work.history(storage, id).size() == 3);
        assertEquals(1, done.size());
        treadle().jobs().runFromStart(id, "anna", null);
        Await.until("it ran from the start", () -> Work.history(storage, id).size() == 5);

        assertEquals(2, done.size());
        assertEquals("RUN_AGAIN 1 ENQUEUED", Work.history(storage, id).get(3));
    }

    @Test
    void there_are_as_many_steps_as_the_limit_says_and_no_more() {
        JobId id = succeeds((order, job) -> {
            for (int i = 0; i < JobStep.STEPS_MAX; i++) {
                int step = i;
                job.step("s" + i, () -> step);
            }
            catching(late -> late.step("one more", () -> did("one more", 1))).run(order, job);
        });

        assertEquals(JobStep.STEPS_MAX, recorded(id).size());
        assertMessage(IllegalStateException.class, "10000");
        assertEquals(List.of(), done);
    }

    @Test
    void a_context_of_a_test_does_the_work() throws Exception {
        JobContext mine = new JobContext() {
            @Override
            public JobId jobId() {
                return JobId.of(new java.util.UUID(0, 1));
            }

            @Override
            public int attempt() {
                return 1;
            }

            @Override
            public dev.treadle.job.NodeId node() {
                return new dev.treadle.job.NodeId(1);
            }

            @Override
            public boolean shouldStop() {
                return false;
            }
        };

        assertEquals("paid", mine.step("pay", () -> "paid"));
        assertNull(caught.get());
    }
}
