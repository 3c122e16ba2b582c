package dev.treadle.storage.memory;

import dev.treadle.job.Failure;
import dev.treadle.job.JobState;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.Details;
import dev.treadle.lifecycle.Transition;
import java.time.Instant;
import java.util.Objects;

/** What a state is worth knowing of once a transition has brought a job there. */
final class MemoryStates {
    private MemoryStates() {}

    /** The state after a transition; a lease makes the state Processing, not this. */
    static JobState after(Transition change, StateName next, Instant dueAt, Instant now) {
        Details details = change.details();
        Failure why = details.why();
        return switch (next) {
            case SCHEDULED -> new JobState.Scheduled(now, dueAt);
            case ENQUEUED -> new JobState.Enqueued(now);
            case PROCESSING -> throw new IllegalStateException("a lease is needed for " + change);
            case SUCCEEDED -> new JobState.Succeeded(now, Objects.requireNonNull(details.ranFor()));
            case FAILED -> new JobState.Failed(now, Objects.requireNonNull(why));
            case CANCELLED ->
                new JobState.Cancelled(now, Objects.requireNonNull(details.by()), why == null ? null : why.message());
            case WAITING -> new JobState.Waiting(now);
            case PARKED -> new JobState.Parked(now, Objects.requireNonNull(why).message());
        };
    }
}
