package dev.treadle.invoke;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.treadle.admission.Resources;
import dev.treadle.commit.OpenBlocks;
import dev.treadle.job.GiveUpException;
import dev.treadle.job.Invocation;
import dev.treadle.job.Job;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobTimeoutException;
import dev.treadle.job.JobTraits;
import dev.treadle.job.ResultHandler;
import dev.treadle.job.RetryAfterException;
import dev.treadle.job.RetryDecision;
import dev.treadle.job.RetryRule;
import dev.treadle.job.StopReason;
import dev.treadle.lifecycle.Lease;
import dev.treadle.outcome.NotesFlusher;
import dev.treadle.outcome.Outcome;
import dev.treadle.payload.JsonArguments;
import dev.treadle.payload.TargetRules;
import dev.treadle.storage.Leases;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** However user code ends, exactly one outcome comes out and nothing is thrown. */
class JobRunTest {
    private static final RetryRule NO_RULE = (thrown, attempt) -> RetryDecision.BY_POLICY;
    private static final RetryDecision IN_A_MINUTE = RetryDecision.after(Duration.ofMinutes(1));

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-03-01T12:00:00Z"));
    private boolean stopping;

    record Work() implements JobRequest<Void> {}

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    @Test
    void what_returns_is_completed_with_the_time_it_ran() {
        Outcome outcome = run(NO_RULE, context -> now.updateAndGet(before -> before.plusMillis(42)));

        assertEquals(new Outcome.Completed(Duration.ofMillis(42)), outcome);
    }

    @Test
    void what_throws_is_told_with_the_time_it_ran_whatever_it_throws() {
        for (Throwable thrown : new Throwable[] {
            new IllegalStateException("unchecked"),
            new IOException("checked"),
            new AssertionError("error"),
            new OutOfMemoryError("pretended"),
            new NoClassDefFoundError("com/acme/Gone"),
            new LinkageError("in user code"),
            new InterruptedException("by itself"),
            new Throwable("neither")
        }) {
            Outcome.Threw threw = threw(run(NO_RULE, context -> {
                now.updateAndGet(before -> before.plusMillis(7));
                throw thrown;
            }));

            assertEquals(thrown.getClass().getName(), threw.failure().type());
            assertEquals(thrown.getMessage(), threw.failure().message());
            assertEquals(Duration.ofMillis(7), threw.ranFor());
            assertEquals(RetryDecision.BY_POLICY, threw.decision());
        }
    }

    @Test
    void an_endless_recursion_is_a_failure_like_another() {
        Outcome.Threw threw = threw(run(NO_RULE, context -> recurse(0)));

        assertEquals(StackOverflowError.class.getName(), threw.failure().type());
    }

    @Test
    void a_job_that_interrupts_itself_is_judged_by_how_it_ends() {
        assertInstanceOf(
                Outcome.Completed.class,
                run(NO_RULE, context -> Thread.currentThread().interrupt()));
        assertInstanceOf(Outcome.Threw.class, run(NO_RULE, context -> {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("after that");
        }));
    }

    @Test
    void while_the_server_stops_an_interrupt_is_not_the_jobs_fault_however_it_is_wrapped() {
        stopping = true;
        Throwable nested = new IllegalStateException(new IOException(new InterruptedException()));
        for (Throwable thrown : new Throwable[] {
            new InterruptedException(),
            nested,
            new ClosedByInterruptException(),
            new IOException(new ClosedByInterruptException())
        }) {
            Outcome outcome = run(NO_RULE, context -> {
                throw thrown;
            });

            assertEquals(new Outcome.Stopped(Duration.ZERO), outcome);
        }
        assertInstanceOf(Outcome.Stopped.class, run(NO_RULE, context -> {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the flag is still set");
        }));
    }

    @Test
    void while_the_server_stops_other_ends_count_as_ever() {
        stopping = true;

        assertInstanceOf(Outcome.Completed.class, run(NO_RULE, context -> assertTrue(context.shouldStop())));
        assertInstanceOf(Outcome.Threw.class, run(NO_RULE, context -> {
            throw new IllegalStateException("its own fault");
        }));
    }

    @Test
    void causes_in_a_circle_are_followed_for_a_while_only() {
        stopping = true;
        RuntimeException one = new RuntimeException("one");
        one.initCause(new RuntimeException("other", one));

        assertInstanceOf(Outcome.Threw.class, run(NO_RULE, context -> {
            throw one;
        }));
    }

    @Test
    void the_job_itself_may_decide_and_then_the_rule_is_not_asked() {
        RetryRule neverAsked = (thrown, attempt) -> {
            throw new AssertionError("asked about " + thrown);
        };

        assertEquals(RetryDecision.GIVE_UP, decision(neverAsked, new GiveUpException("no such employee")));
        assertEquals(IN_A_MINUTE, decision(neverAsked, new RetryAfterException(Duration.ofMinutes(1), null)));
        assertEquals(
                RetryDecision.after(Duration.ZERO),
                decision(neverAsked, new RetryAfterException(Duration.ofMinutes(-1), null)),
                "the moment that was named has passed");
        assertEquals(RetryDecision.BY_POLICY, decision(NO_RULE, new BrokenRetryAfter()));
    }

    @Test
    void the_rule_is_asked_with_what_was_thrown_and_the_attempt() {
        RetryRule rule = (thrown, attempt) ->
                thrown instanceof IOException && attempt == 1 ? IN_A_MINUTE : RetryDecision.GIVE_UP;

        assertEquals(IN_A_MINUTE, decision(rule, new IOException()));
        assertEquals(RetryDecision.GIVE_UP, decision(rule, new IllegalStateException()));
    }

    @Test
    void a_rule_that_throws_leaves_it_to_the_policy() {
        assertEquals(
                RetryDecision.BY_POLICY,
                decision(
                        (thrown, attempt) -> {
                            throw new IllegalStateException("rule");
                        },
                        new IOException()));
        assertEquals(
                RetryDecision.BY_POLICY,
                decision(
                        (thrown, attempt) -> {
                            throw new StackOverflowError("rule");
                        },
                        new IOException()));
    }

    @Test
    void what_was_never_reached_is_not_runnable() {
        Outcome unknown = jobRun(NO_RULE, context -> {})
                .of(new Attempt(Leases.calling(new Invocation("com.acme.Gone", null, "{}"))));
        Outcome unreadable = jobRun(NO_RULE, context -> {})
                .of(new Attempt(Leases.calling(new Invocation(Work.class.getName(), null, "["))));

        assertEquals(false, assertInstanceOf(Outcome.NotRunnable.class, unknown).known());
        assertEquals(
                true, assertInstanceOf(Outcome.NotRunnable.class, unreadable).known());
    }

    @Test
    void who_was_told_that_its_time_is_over_had_its_attempt_also_while_the_server_stops() {
        stopping = true;
        Lease plain = lease();
        Job job = plain.job();
        Attempt attempt = new Attempt(new Lease(
                new Job(
                        job.id(),
                        job.invocation(),
                        JobTraits.DEFAULT.withTimeout(Duration.ofSeconds(1)),
                        job.createdAt(),
                        1,
                        job.state()),
                plain.token()));
        new StopActions(Runnable::run).stop(attempt, StopReason.TIMED_OUT);

        Outcome.Threw threw = threw(jobRun(NO_RULE, context -> {
                    throw new InterruptedException();
                })
                .of(attempt));

        assertEquals(JobTimeoutException.class.getName(), threw.failure().type());
    }

    @Test
    void a_run_whose_lease_is_gone_before_it_begins_never_does() {
        Attempt attempt = new Attempt(lease());
        new StopActions(Runnable::run).stop(attempt, StopReason.LEASE_LOST);
        AtomicReference<@Nullable JobContext> seen = new AtomicReference<>();

        assertInstanceOf(Outcome.Stopped.class, jobRun(NO_RULE, seen::set).of(attempt));
        assertEquals(null, seen.get());
    }

    @Test
    void a_job_sees_its_own_context() {
        AtomicReference<@Nullable JobContext> seen = new AtomicReference<>();
        Lease lease = lease();

        jobRun(NO_RULE, seen::set).of(new Attempt(lease));

        JobContext context = seen.get();
        assertTrue(context != null && !context.shouldStop());
        assertEquals(lease.job().id(), context.jobId());
        assertEquals(1, context.attempt());
        assertEquals(Leases.NODE, context.node());
    }

    @Test
    void whoever_kept_the_context_of_a_run_opens_no_scope_and_takes_no_permit_once_that_has_ended() {
        for (UserCode code : List.<UserCode>of(
                context -> {},
                context -> context.scope().close(),
                context -> context.use("db").close(),
                context -> {
                    throw new IllegalStateException("failed");
                })) {
            AtomicReference<@Nullable JobContext> kept = new AtomicReference<>();
            run(NO_RULE, context -> {
                kept.set(context);
                code.run(context);
            });
            JobContext context = Objects.requireNonNull(kept.get());
            String name = Thread.currentThread().getName();

            for (Executable late : List.<Executable>of(
                    context::scope, () -> context.use("db"), () -> context.using("db", () -> fail("it ran")))) {
                IllegalStateException refused = assertThrows(IllegalStateException.class, late);
                assertTrue(String.valueOf(refused.getMessage()).contains("has ended"), refused::toString);
            }
            assertEquals(name, Thread.currentThread().getName());
        }
    }

    private RetryDecision decision(RetryRule rule, Throwable thrown) {
        return threw(run(rule, context -> {
                    throw thrown;
                }))
                .decision();
    }

    private Outcome run(RetryRule rule, UserCode code) {
        return jobRun(rule, code).of(new Attempt(lease()));
    }

    private JobRun jobRun(RetryRule rule, UserCode code) {
        ResultHandler<Work, Void> handler = (work, context) -> {
            try {
                code.run(context);
            } catch (Throwable e) {
                throw JobRunTest.<RuntimeException>unchecked(e);
            }
            return null;
        };
        Invoker invoker = new Invoker(
                TargetRules.applicationTypes(),
                Handlers.none().withResult(Work.class, handler),
                new ConstructorActivator(),
                new JsonArguments(),
                JobRunTest.class.getClassLoader());
        return new JobRun(
                invoker,
                RunOptions.usual().withRule(rule),
                now::get,
                () -> stopping,
                new RunServices(
                        new NotesFlusher(new InMemoryStorageProvider().runs(), now::get, () -> {}),
                        new StopActions(Runnable::run),
                        Resources.none(),
                        new RunTransactions.Shared(new InMemoryStorageProvider(), new OpenBlocks(), () -> {}),
                        ChildJobs.NONE,
                        kept -> {}));
    }

    private static Lease lease() {
        return Leases.calling(new Invocation(Work.class.getName(), null, "{}"));
    }

    private static Outcome.Threw threw(Outcome outcome) {
        return assertInstanceOf(Outcome.Threw.class, outcome);
    }

    private static int recurse(int depth) {
        return recurse(depth + 1) + 1;
    }

    /** Throws anything, checked or not, as byte code may. */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> E unchecked(Throwable thrown) throws E {
        throw (E) thrown;
    }

    private interface UserCode {
        void run(JobContext context) throws Throwable;
    }

    private static final class BrokenRetryAfter extends RetryAfterException {
        private static final long serialVersionUID = 1L;

        BrokenRetryAfter() {
            super(Duration.ZERO, null);
        }

        @Override
        public Duration delay() {
            throw new IllegalStateException("delay");
        }
    }
}
