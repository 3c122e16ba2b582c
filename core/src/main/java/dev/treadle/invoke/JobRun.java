package dev.treadle.invoke;

import dev.treadle.job.Failure;
import dev.treadle.job.GiveUpException;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.NodeId;
import dev.treadle.job.RetryAfterException;
import dev.treadle.job.RetryDecision;
import dev.treadle.job.RetryRule;
import dev.treadle.outcome.Outcome;
import dev.treadle.storage.Leased;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The border to user code: whatever happens beyond it, exactly one outcome comes out. Thread-safe. */
public final class JobRun {
    private static final Logger LOG = LoggerFactory.getLogger(JobRun.class);

    private final Invoker invoker;
    private final RetryRule rule;
    private final InstantSource time;
    private final BooleanSupplier stopping;

    /**
     * @param rule     chooses per exception whether there is another attempt
     * @param stopping whether the server is being stopped, so that an interrupt is not the job's fault
     */
    public JobRun(Invoker invoker, RetryRule rule, InstantSource time, BooleanSupplier stopping) {
        this.invoker = invoker;
        this.rule = rule;
        this.time = time;
        this.stopping = stopping;
    }

    /** Runs the job on this thread. */
    public Outcome of(Leased lease) {
        Instant began = time.instant();
        try {
            Call call = invoker.resolve(lease.job().invocation());
            began = time.instant();
            call.run(new Context(lease.job().id(), lease.job().attempt(), lease.node(), stopping));
            return new Outcome.Completed(since(began));
        } catch (NotRunnableException e) {
            return new Outcome.NotRunnable(
                    String.valueOf(e.getMessage()), e.missing() != NotRunnableException.Missing.TARGET);
        } catch (Throwable thrown) {
            return stopping.getAsBoolean() && wasInterrupted(thrown)
                    ? new Outcome.Stopped(since(began))
                    : new Outcome.Threw(
                            since(began),
                            Failure.of(thrown),
                            decide(thrown, lease.job().attempt()));
        }
    }

    private Duration since(Instant began) {
        return Duration.between(began, time.instant());
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
                    : rule.decide(thrown, attempt);
        } catch (RuntimeException | Error e) {
            // why errors too: an outcome that does not come out leaves the job leased for as long as this node lives
            LOG.error("The retry rule threw; the job's retry policy decides.", e);
            return RetryDecision.BY_POLICY;
        }
    }

    private record Context(JobId jobId, int attempt, NodeId node, BooleanSupplier stopping) implements JobContext {
        @Override
        public boolean shouldStop() {
            return stopping.getAsBoolean();
        }
    }
}
