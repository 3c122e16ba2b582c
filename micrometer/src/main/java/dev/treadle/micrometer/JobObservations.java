package dev.treadle.micrometer;

import dev.treadle.job.Invocation;
import dev.treadle.job.Job;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobInterceptor;
import dev.treadle.job.JobSuspension;
import dev.treadle.job.JobTraits;
import dev.treadle.job.SnoozeException;
import dev.treadle.micrometer.JobRunContext.Outcome;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Observes each enqueue and each run, and carries the trace of who enqueues a job to its runs in the job's headers:
 *
 * <pre>{@code
 * Treadle.on(storage).intercept(JobObservations.of(registry))…
 * }</pre>
 *
 * <p>The observation of an enqueue covers the making of the job, not the commit, which may come later and belongs to the
 * caller. The spans of runs are {@linkplain JobLinkHandler linked} to the span of the enqueue, or are its children where
 * that handler is not registered or {@link #asChildren} was asked for. Immutable.
 */
public final class JobObservations implements JobInterceptor {
    private static final Logger LOG = LoggerFactory.getLogger(JobObservations.class);

    private final ObservationRegistry registry;
    private final @Nullable JobEnqueueConvention enqueue;
    private final @Nullable JobRunConvention run;
    private final boolean children;
    private final JobEnqueueConvention enqueueDefault = new DefaultJobEnqueueConvention();
    private final JobRunConvention runDefault = new DefaultJobRunConvention();
    private final AtomicBoolean refusalIsLogged = new AtomicBoolean();

    private JobObservations(
            ObservationRegistry registry,
            @Nullable JobEnqueueConvention enqueue,
            @Nullable JobRunConvention run,
            boolean children) {
        this.registry = registry;
        this.enqueue = enqueue;
        this.run = run;
        this.children = children;
    }

    /** Observations with the default conventions, or with global ones of the registry. */
    public static JobObservations of(ObservationRegistry registry) {
        return new JobObservations(registry, null, null, false);
    }

    /** The same with other names and key values for enqueues. */
    public JobObservations withEnqueueConvention(JobEnqueueConvention convention) {
        return new JobObservations(registry, convention, run, children);
    }

    /** The same with other names and key values for runs. */
    public JobObservations withRunConvention(JobRunConvention convention) {
        return new JobObservations(registry, enqueue, convention, children);
    }

    /**
     * The same, with spans of runs that are children of the span of the enqueue. A trace then contains all that follows
     * from a request, and ends only with the last retry of its jobs.
     */
    public JobObservations asChildren() {
        return new JobObservations(registry, enqueue, run, true);
    }

    @Override
    public JobTraits onEnqueue(JobId id, Invocation invocation, JobTraits traits) {
        if (registry.isNoop()) {
            return traits;
        }
        JobEnqueueContext context = new JobEnqueueContext(id, invocation, traits);
        Observation observation = JobObservation.ENQUEUE.observation(enqueue, enqueueDefault, () -> context, registry);
        observation.start();
        observation.stop();
        return withHeaders(traits, context.getCarrier());
    }

    /** Leaves out what does not fit: a trace that is lost must not keep a job from being enqueued. */
    private JobTraits withHeaders(JobTraits traits, @Nullable Map<String, String> carrier) {
        JobTraits now = traits;
        for (Map.Entry<String, String> header :
                carrier == null ? Map.<String, String>of().entrySet() : carrier.entrySet()) {
            try {
                now = now.withHeader(header.getKey(), header.getValue());
            } catch (IllegalArgumentException e) {
                if (refusalIsLogged.compareAndSet(false, true)) {
                    LOG.warn(
                            "The header {} of the trace does not travel with jobs, which are enqueued without it."
                                    + " This is logged once.",
                            header.getKey(),
                            e);
                }
            }
        }
        return now;
    }

    @Override
    public @Nullable Object onRun(Job job, JobContext context, Next next) throws Throwable {
        if (registry.isNoop()) {
            return next.run();
        }
        JobRunContext observed = new JobRunContext(job, children);
        Observation observation = JobObservation.RUN.observation(run, runDefault, () -> observed, registry);
        Run observedRun = new Run(next, observed);
        Object result = observation.observeChecked(observedRun::result);
        if (observedRun.putOff != null) {
            throw observedRun.putOff;
        }
        return result;
    }

    /**
     * Observes each job for as long as the call takes that runs them together. None of them is the current observation
     * there, because the call works for all.
     */
    @Override
    public void onRunChunk(List<Running> chunk, Next next) throws Throwable {
        if (registry.isNoop()) {
            next.run();
            return;
        }
        List<JobRunContext> contexts = new ArrayList<>();
        List<Observation> observations = new ArrayList<>();
        for (Running one : chunk) {
            JobRunContext observed = new JobRunContext(one.job(), children);
            contexts.add(observed);
            observations.add(JobObservation.RUN
                    .observation(run, runDefault, () -> observed, registry)
                    .start());
        }
        Outcome outcome = Outcome.FAILED;
        try {
            next.run();
            outcome = Outcome.COMPLETED;
        } catch (SnoozeException e) {
            outcome = Outcome.SNOOZED;
            throw e;
        } catch (Exception | Error e) {
            observations.forEach(observation -> observation.error(e));
            throw e;
        } finally {
            for (int i = 0; i < contexts.size(); i++) {
                contexts.get(i).ended(outcome);
                observations.get(i).stop();
            }
        }
    }

    /**
     * A run inside its observation. A snooze and a wait at a gate pass by the observation, for which they would be errors.
     */
    private static final class Run {
        private final Next next;
        private final JobRunContext context;
        /** What puts the job off; null if nothing does. */
        private @Nullable Throwable putOff;

        Run(Next next, JobRunContext context) {
            this.next = next;
            this.context = context;
        }

        @Nullable
        Object result() throws Throwable {
            context.ended(Outcome.FAILED);
            try {
                Object result = next.run();
                context.ended(Outcome.COMPLETED);
                return result;
            } catch (SnoozeException e) {
                context.ended(Outcome.SNOOZED);
                putOff = e;
                return null;
            } catch (JobSuspension e) {
                context.ended(Outcome.SUSPENDED);
                putOff = e;
                return null;
            }
        }
    }
}
