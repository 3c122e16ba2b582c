package dev.treadle.job;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The state of a job: its name, since when, and the facts that exist only in that state. */
public sealed interface JobState {
    /** The name of the state. */
    StateName name();

    /** When the job came into this state, by the clock of the storage. */
    Instant since();

    /** The job waits until {@code dueAt}. */
    record Scheduled(Instant since, Instant dueAt) implements JobState {
        @Override
        public StateName name() {
            return StateName.SCHEDULED;
        }
    }

    /** The job may run now, or as soon as the key {@code waitsFor} has a slot, if that is not null. */
    record Enqueued(Instant since, @Nullable String waitsFor) implements JobState {
        /** May run now. */
        public Enqueued(Instant since) {
            this(since, null);
        }

        @Override
        public StateName name() {
            return StateName.ENQUEUED;
        }
    }

    /** The job is leased to {@code node}. */
    record Processing(Instant since, NodeId node) implements JobState {
        @Override
        public StateName name() {
            return StateName.PROCESSING;
        }
    }

    /** The job succeeded after running for {@code ranFor}. */
    record Succeeded(Instant since, Duration ranFor) implements JobState {
        @Override
        public StateName name() {
            return StateName.SUCCEEDED;
        }
    }

    /** The job failed for good. */
    record Failed(Instant since, Failure failure) implements JobState {
        @Override
        public StateName name() {
            return StateName.FAILED;
        }
    }

    /** {@code by} cancelled the job, for the reason {@code why} if one was given. */
    record Cancelled(Instant since, String by, @Nullable String why) implements JobState {
        @Override
        public StateName name() {
            return StateName.CANCELLED;
        }
    }

    /** The job waits at a gate for other jobs to end, or for an event. */
    record Waiting(Instant since) implements JobState {
        @Override
        public StateName name() {
            return StateName.WAITING;
        }
    }

    /** The job waits for a node that knows how to run it. */
    record Parked(Instant since, String why) implements JobState {
        @Override
        public StateName name() {
            return StateName.PARKED;
        }
    }
}
