package dev.treadle.job;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The state of a job: its name, since when, and the facts that exist only in that state. */
public sealed interface JobState {
    /** The name, whose {@link StateName#canBecome table} says which moves are legal. */
    StateName name();

    /** When the job came into this state, by the clock of the storage. */
    Instant since();

    /** Waits until {@code dueAt}. */
    record Scheduled(Instant since, Instant dueAt) implements JobState {
        @Override
        public StateName name() {
            return StateName.SCHEDULED;
        }
    }

    /** May run now, or as soon as the key {@code waitsFor} has room if that is not null. */
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

    /** Leased to {@code node}. */
    record Processing(Instant since, NodeId node) implements JobState {
        @Override
        public StateName name() {
            return StateName.PROCESSING;
        }
    }

    /** Ended well after running for {@code ranFor}. */
    record Succeeded(Instant since, Duration ranFor) implements JobState {
        @Override
        public StateName name() {
            return StateName.SUCCEEDED;
        }
    }

    /** Ended badly for good. */
    record Failed(Instant since, Failure failure) implements JobState {
        @Override
        public StateName name() {
            return StateName.FAILED;
        }
    }

    /** Taken out by {@code by}, for the reason {@code why} if one was given. */
    record Cancelled(Instant since, String by, @Nullable String why) implements JobState {
        @Override
        public StateName name() {
            return StateName.CANCELLED;
        }
    }

    /** Waits for a node that knows how to run it. */
    record Parked(Instant since, String why) implements JobState {
        @Override
        public StateName name() {
            return StateName.PARKED;
        }
    }
}
