package dev.treadle.watch;

import dev.treadle.job.HistoryEntry.Event;
import dev.treadle.job.Job;
import dev.treadle.job.JobState;
import dev.treadle.storage.Due;
import dev.treadle.storage.Ending;
import dev.treadle.storage.Leased;
import dev.treadle.storage.NewJob;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells the flight recorder. Whether an event is wanted is asked of one that is kept for that, so that nothing is made for
 * nobody: before the first recording the JVM answers without having set up its recorder at all.
 */
final class FlightEvents implements JobEvents {
    private final JobEnqueuedEvent enqueued = new JobEnqueuedEvent();
    private final JobClaimedEvent claimed = new JobClaimedEvent();
    private final JobStartedEvent started = new JobStartedEvent();
    private final JobFinishedEvent finished = new JobFinishedEvent();

    @Override
    public void enqueued(List<NewJob> jobs) {
        if (enqueued.isEnabled()) {
            for (NewJob job : jobs) {
                JobEnqueuedEvent event = new JobEnqueuedEvent();
                event.of(job.id(), job.invocation(), job.traits().queue());
                event.later = !(job.due() instanceof Due.Now);
                event.commit();
            }
        }
    }

    @Override
    public void claimed(List<Leased> leases) {
        if (claimed.isEnabled()) {
            for (Leased lease : leases) {
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
    public @Nullable Object started(Leased lease) {
        if (started.isEnabled()) {
            Job job = lease.job();
            JobStartedEvent event = new JobStartedEvent();
            event.of(job.id(), job.invocation(), job.traits().queue());
            event.attempt = job.attempt();
            event.commit();
        }
        if (!finished.isEnabled()) {
            return null;
        }
        JobFinishedEvent run = new JobFinishedEvent();
        run.begin();
        return run;
    }

    @Override
    public void finished(@Nullable Object started, Ending ending) {
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
