package dev.treadle.invoke;

import dev.treadle.job.Failure;
import dev.treadle.job.GiveUpException;
import dev.treadle.job.Invocation;
import dev.treadle.job.Job;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobInterceptor;
import dev.treadle.job.JobTimeoutException;
import dev.treadle.job.RetryAfterException;
import dev.treadle.job.RetryDecision;
import dev.treadle.job.SnoozeException;
import dev.treadle.job.StopReason;
import dev.treadle.outcome.Outcome;
import dev.treadle.payload.DeclaredTypes;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The border to user code: whatever happens beyond it, exactly one outcome comes out. Thread-safe. */
public final class JobRun {
    private static final Logger LOG = LoggerFactory.getLogger(JobRun.class);

    /** Stands for the outcome of a job in a call that has not ended. */
    private static final Outcome CALLED = new Outcome.Stopped(Duration.ZERO);

    private final Invoker invoker;
    private final RunOptions options;
    private final RunEngine engine;

    /** @param stopping whether the server is being stopped, so that an interrupt is not the job's fault */
    public JobRun(
            Invoker invoker, RunOptions options, InstantSource time, BooleanSupplier stopping, RunServices services) {
        this.invoker = invoker;
        this.options = options;
        this.engine = new RunEngine(options, time, stopping, services);
    }

    /** Runs the job on this thread, and its forks too. */
    public Outcome of(Attempt attempt) {
        return of(attempt, ForkThreads.NONE);
    }

    /**
     * Runs the job on this thread.
     *
     * @param threads where its forks get theirs
     */
    public Outcome of(Attempt attempt, ForkThreads threads) {
        if (attempt.stopReason() == StopReason.LEASE_LOST) {
            // cancelled while it waited here for a permit
            return new Outcome.Stopped(Duration.ZERO);
        }
        Job job = attempt.lease().job();
        RunContext context = new RunContext(attempt, engine, threads);
        Instant began = engine.time().instant();
        JobContext.Watch current = context.makeCurrent();
        try {
            Call call = invoker.resolve(job.invocation());
            began = engine.time().instant();
            context.begins(call, began);
            Object value = run(attempt, context, call);
            Duration ranFor = engine.since(began);
            Outcome said = context.outcome(ranFor, null);
            if (said == null) {
                said = context.suspension(ranFor);
            }
            return said == null
                    ? new Outcome.Completed(ranFor, options.results().write(value, call::returns))
                    : said;
        } catch (NotRunnableException e) {
            Outcome said = context.outcome(engine.since(began), e);
            return said == null ? notRunnable(e) : said;
        } catch (Throwable thrown) {
            Duration ranFor = engine.since(began);
            Outcome said = context.outcome(ranFor, thrown);
            NotRunnableException unreadable = context.unreadableStep();
            if (said != null) {
                return said;
            }
            Outcome waits = context.suspension(ranFor);
            if (waits != null) {
                return waits;
            }
            return unreadable == null ? afterThrow(attempt, context, ranFor, thrown) : notRunnable(unreadable);
        } finally {
            current.close();
            context.close();
        }
    }

    /** How jobs with this call are put together; null if each runs by itself. */
    public @Nullable ChunkRule chunkRule(Invocation invocation) {
        return invoker.chunkRule(invocation);
    }

    /**
     * Runs jobs of one type on this thread, in one call.
     *
     * @param attempts of one {@link ChunkCall}
     * @param threads  where their forks get theirs
     * @return one outcome for each, in their order
     */
    public List<Outcome> ofChunk(List<Attempt> attempts, ForkThreads threads) {
        List<Outcome> outcomes = new ArrayList<>();
        List<RunInChunk> chunk = new ArrayList<>();
        try {
            for (Attempt attempt : attempts) {
                Outcome kept = addTo(chunk, attempt, threads);
                outcomes.add(kept == null ? CALLED : kept);
            }
            if (chunk.isEmpty()) {
                return outcomes;
            }
            Instant began = engine.time().instant();
            Throwable thrown = call(chunk, began);
            Duration ranFor = engine.since(began);
            Iterator<RunInChunk> called = chunk.iterator();
            outcomes.replaceAll(kept -> kept == CALLED ? ended(called.next(), ranFor, thrown) : kept);
            return outcomes;
        } finally {
            chunk.forEach(one -> one.run().close());
        }
    }

    /** Adds a job to those that are called, or says what becomes of it without a call; null if it was added. */
    private @Nullable Outcome addTo(List<RunInChunk> chunk, Attempt attempt, ForkThreads threads) {
        Outcome kept = null;
        if (attempt.stopReason() == StopReason.LEASE_LOST) {
            kept = new Outcome.Stopped(Duration.ZERO);
        } else {
            try {
                Object request = invoker.requestInChunk(attempt.lease().job().invocation());
                chunk.add(new RunInChunk(attempt, new RunContext(attempt, engine, threads), request));
            } catch (NotRunnableException e) {
                kept = notRunnable(e);
            }
        }
        if (kept != null) {
            attempt.leavesCall();
        }
        return kept;
    }

    /** Calls the handler; gives what it threw, null if it returned. */
    private @Nullable Throwable call(List<RunInChunk> chunk, Instant began) {
        Job first = chunk.get(0).job();
        Handlers.Entry handler = invoker.chunkEntry(first.invocation());
        Call returns = ((Call) unused -> null).returning(() -> DeclaredTypes.returned(handler.request()));
        chunk.forEach(one -> one.run().begins(returns, began));
        if (engine.hasLoggingContext()) {
            LoggingContext.beginChunk(invoker.renamed(first));
        }
        try {
            options.interceptors()
                    .runChunk(
                            chunk.stream()
                                    .map(one -> new JobInterceptor.Running(invoker.renamed(one.job()), one.run()))
                                    .toList(),
                            () -> {
                                handler.callTogether(List.copyOf(chunk));
                                return null;
                            });
            return null;
        } catch (Throwable thrown) {
            return thrown;
        } finally {
            chunk.forEach(RunInChunk::over);
            if (engine.hasLoggingContext()) {
                LoggingContext.endChunk();
            }
        }
    }

    private Outcome ended(RunInChunk one, Duration ranFor, @Nullable Throwable thrown) {
        RunInChunk.Ending how = one.ending(thrown);
        Throwable mine = how.thrown();
        try {
            Outcome said = one.run().outcome(ranFor, mine);
            if (said != null) {
                return said;
            }
            if (mine == null) {
                Type type = DeclaredTypes.returned(
                        invoker.chunkEntry(one.job().invocation()).request());
                return new Outcome.Completed(ranFor, options.results().write(how.result(), () -> type));
            }
            NotRunnableException unreadable = one.run().unreadableStep();
            return unreadable == null ? afterThrow(one.attempt(), one.run(), ranFor, mine) : notRunnable(unreadable);
        } catch (Throwable broken) {
            return afterThrow(one.attempt(), one.run(), ranFor, broken);
        }
    }

    private static Outcome notRunnable(NotRunnableException why) {
        return new Outcome.NotRunnable(
                String.valueOf(why.getMessage()), why.missing() != NotRunnableException.Missing.TARGET);
    }

    private @Nullable Object run(Attempt attempt, JobContext context, Call call) throws Throwable {
        // what logs, times and traces jobs is to see one name for a type, not one more for each former name
        Job job = invoker.renamed(attempt.lease().job());
        if (!engine.hasLoggingContext()) {
            return runWithScopes(attempt, job, context, call);
        }
        LoggingContext.begin(job);
        try {
            return runWithScopes(attempt, job, context, call);
        } finally {
            LoggingContext.end(job);
        }
    }

    private @Nullable Object runWithScopes(Attempt attempt, Job job, JobContext context, Call call) throws Throwable {
        Object value;
        boolean cutOff;
        try {
            value = options.interceptors().run(job, context, () -> call.run(context));
        } finally {
            cutOff = attempt.shutScopes();
        }
        if (cutOff) {
            throw RunScope.cutOff(RunScope.nameOf(job.id()));
        }
        return value;
    }

    private Outcome afterThrow(Attempt attempt, RunContext context, Duration ranFor, Throwable thrown) {
        if (thrown instanceof SnoozeException snooze) {
            return new Outcome.Snoozed(ranFor, delayOf(snooze));
        }
        StopReason asked = attempt.stopReason();
        // who was interrupted because its time was over had its attempt, also when its server stops a moment later
        boolean timedOut = asked == StopReason.TIMED_OUT;
        if (context.hasLostLease() || !timedOut && engine.isStopping() && wasInterrupted(thrown)) {
            return new Outcome.Stopped(ranFor);
        }
        Job job = attempt.lease().job();
        Duration timeout = job.traits().timeout();
        boolean saysItself = thrown instanceof GiveUpException || thrown instanceof RetryAfterException;
        Throwable why = timedOut && timeout != null && !saysItself ? new JobTimeoutException(timeout, thrown) : thrown;
        return new Outcome.Threw(ranFor, Failure.of(why), decide(why, job.attempt()));
    }

    /** A subclass may break it. */
    private static Duration delayOf(SnoozeException snooze) {
        try {
            return snooze.delay().isNegative() ? Duration.ZERO : snooze.delay();
        } catch (RuntimeException | Error e) {
            LOG.error("A SnoozeException could not say for how long; the job runs again at once.", e);
            return Duration.ZERO;
        }
    }

    /** Libraries wrap the InterruptedException in one of their own. */
    private static boolean wasInterrupted(Throwable thrown) {
        int depth = 0;
        for (Throwable cause = thrown; cause != null && depth < 20; cause = cause.getCause(), depth++) {
            if (cause instanceof InterruptedException
                    || cause instanceof java.nio.channels.ClosedByInterruptException) {
                return true;
            }
        }
        return Thread.currentThread().isInterrupted();
    }

    private RetryDecision decide(Throwable thrown, int attempt) {
        if (thrown instanceof GiveUpException) {
            return RetryDecision.GIVE_UP;
        }
        try {
            // why in here: a subclass may override delay(), and the moment a service named may have passed
            return thrown instanceof RetryAfterException after
                    ? RetryDecision.after(after.delay().isNegative() ? Duration.ZERO : after.delay())
                    : options.rule().decide(thrown, attempt);
        } catch (RuntimeException | Error e) {
            // why errors too: an outcome that does not come out leaves the job leased for as long as this node lives
            LOG.error("The retry rule threw; the job's retry policy decides.", e);
            return RetryDecision.BY_POLICY;
        }
    }
}
