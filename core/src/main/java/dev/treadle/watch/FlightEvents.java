package dev.treadle.watch;

import dev.treadle.job.Due;
import dev.treadle.job.HistoryEntry.Event;
import dev.treadle.job.Job;
import dev.treadle.job.JobState;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.NewJob;
import java.time.Duration;
import java.util.List;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/** Reports to the flight recorder. Before the first recording nothing of it is even loaded: the first of our events to be loaded
 * sets the recorder up, which takes a tenth of a second of the start. After that, one event that is kept for this is
 * asked whether events are wanted, so that none is made for nothing.
 */
final class FlightEvents implements JobEvents {
    /** One event of each kind, created at the first use. */
    private static final class Kept {
        private static final JobEnqueuedEvent ENQUEUED = new JobEnqueuedEvent();
        private static final JobClaimedEvent CLAIMED = new JobClaimedEvent();
        private static final JobStartedEvent STARTED = new JobStartedEvent();
        private static final JobFinishedEvent FINISHED = new JobFinishedEvent();
    }

    /** Asks for the recorder once, so that a JVM without one is detected here. */
    FlightEvents() {
        FlightRecorder.isInitialized();
    }

    @Override
    public void enqueued(List<NewJob> jobs) {
        if (FlightRecorder.isInitialized() && Kept.ENQUEUED.isEnabled()) {
            for (NewJob job : jobs) {
                JobEnqueuedEvent event = new JobEnqueuedEvent();
                event.of(job.id(), job.invocation(), job.traits().queue());
                event.later = !(job.due() instanceof Due.Now);
                event.commit();
            }
        }
    }

    @Override
    public void claimed(List<Lease> leases) {
        if (FlightRecorder.isInitialized() && Kept.CLAIMED.isEnabled()) {
            for (Lease lease : leases) {
                Job job = lease.job();
                JobClaimedEvent event = new JobClaimedEvent();
                event.of(job.id(), job.invocation(), job.traits().queue());
                event.attempt = job.attempt();
                if (job.state() instanceof JobState.Processing now) {
                    event.sinceEnqueued =
                            Duration.between(job.createdAt(), now.since()).toMillis();
                }
                event.commit();
            }
        }
    }

    @Override
    public @Nullable Object started(Lease lease) {
        if (!FlightRecorder.isInitialized()) {
            return null;
        }
        if (Kept.STARTED.isEnabled()) {
            Job job = lease.job();
            JobStartedEvent event = new JobStartedEvent();
            event.of(job.id(), job.invocation(), job.traits().queue());
            event.attempt = job.attempt();
            event.commit();
        }
        if (!Kept.FINISHED.isEnabled()) {
            return null;
        }
        JobFinishedEvent run = new JobFinishedEvent();
        run.begin();
        return run;
    }

    @Override
    public void finished(@Nullable Object started, Transition ending) {
        if (started instanceof JobFinishedEvent run) {
            run.end();
            if (run.shouldCommit()) {
                Job job = ending.lease().job();
                run.of(job.id(), job.invocation(), job.traits().queue());
                run.attempt = job.attempt();
                Event event = ending.event();
                run.outcome = event == null ? "GIVEN_BACK" : event.name();
                run.next = ending.next().name();
                run.failure = ending.why() == null ? null : ending.why().type();
                run.commit();
            }
        }
    }
}
