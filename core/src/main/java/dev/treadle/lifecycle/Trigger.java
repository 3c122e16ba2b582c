package dev.treadle.lifecycle;

import dev.treadle.job.Due;
import dev.treadle.job.HistoryEntry.Event;
import dev.treadle.job.StateName;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Everything that can happen to a job. Each constant is a row of the state table: the states in which it may happen, the
 * state that follows, and what it does to the attempts and to the history. No other code in Treadle knows these rules:
 * {@link Lifecycle} reads them, storages write down what it says.
 */
public enum Trigger {
    /** A new job that may run now. */
    INSERT(States.NONE, StateName.ENQUEUED, Attempts.RESET, When.GIVEN, null),
    /** A new job whose time has not come. */
    SCHEDULE(States.NONE, StateName.SCHEDULED, Attempts.RESET, When.GIVEN, null),
    /** A new job that runs after others, or waits for those of its batch. */
    WAIT(States.NONE, StateName.WAITING, Attempts.RESET, When.NOW, null),
    /** A new job that a node runs at once. */
    START(States.NONE, StateName.PROCESSING, Attempts.COUNTED, When.NOW, null),
    /** Its time has come. */
    PROMOTE(EnumSet.of(StateName.SCHEDULED), StateName.ENQUEUED, Attempts.KEPT, When.KEPT, null),
    /** A node takes it. */
    CLAIM(EnumSet.of(StateName.ENQUEUED), StateName.PROCESSING, Attempts.COUNTED, When.KEPT, null),
    /** The attempt ended well. */
    SUCCEED(States.RUNNING, StateName.SUCCEEDED, Attempts.KEPT, When.NOW, Event.COMPLETED),
    /** The attempt threw, and another follows. */
    RETRY(States.RUNNING, StateName.SCHEDULED, Attempts.KEPT, When.GIVEN, Event.THREW),
    /** The attempt threw, and no other follows. */
    FAIL(States.RUNNING, StateName.FAILED, Attempts.KEPT, When.NOW, Event.THREW),
    /** The node was lost. Another attempt follows; the lost one counts, so a job that kills its JVM stops doing so. */
    RESCUE(States.RUNNING, StateName.SCHEDULED, Attempts.KEPT, When.GIVEN, Event.NODE_LOST),
    /** The node was lost, and no other attempt follows. */
    ABANDON(States.RUNNING, StateName.FAILED, Attempts.KEPT, When.NOW, Event.NODE_LOST),
    /** The job asked to be run later. */
    SNOOZE(States.RUNNING, StateName.SCHEDULED, Attempts.UNCOUNTED, When.GIVEN, Event.SNOOZED),
    /** The job waits at a gate, and its code will be called again when that opens. */
    SUSPEND(States.RUNNING, StateName.WAITING, Attempts.UNCOUNTED, When.NOW, Event.SUSPENDED),
    /** Its gate has opened. */
    RESUME(EnumSet.of(StateName.WAITING), StateName.ENQUEUED, Attempts.KEPT, When.NOW, null),
    /** The node does not know how to run it. */
    PARK(States.RUNNING, StateName.PARKED, Attempts.UNCOUNTED, When.NOW, Event.NOT_RUNNABLE),
    /** The node returns it before user code began. It keeps its turn, and leaves no trace in the history. */
    GIVE_BACK(States.RUNNING, StateName.ENQUEUED, Attempts.UNCOUNTED, When.KEPT, null),
    /** The node interrupted it and returns it. It keeps its turn. */
    STOP(States.RUNNING, StateName.ENQUEUED, Attempts.UNCOUNTED, When.KEPT, Event.STOPPED),
    /** A node knows how to run it. */
    UNPARK(EnumSet.of(StateName.PARKED), StateName.ENQUEUED, Attempts.KEPT, When.NOW, null),
    /** An operator does not want to wait for its time. */
    RUN_NOW(EnumSet.of(StateName.SCHEDULED), StateName.ENQUEUED, Attempts.KEPT, When.NOW, null),
    /** An operator gives it all its attempts again. */
    RUN_AGAIN(States.ENDED_OR_PARKED, StateName.ENQUEUED, Attempts.RESET, When.NOW, Event.RUN_AGAIN),
    /** The same, and what its steps returned is forgotten. */
    RUN_FROM_START(States.ENDED_OR_PARKED, StateName.ENQUEUED, Attempts.RESET, When.NOW, Event.RUN_AGAIN),
    /** An operator or a program does not want it any more. */
    CANCEL(States.UNFINISHED, StateName.CANCELLED, Attempts.KEPT, When.NOW, Event.CANCELLED),
    /** Its deadline has passed. */
    EXPIRE(States.UNFINISHED, StateName.FAILED, Attempts.KEPT, When.NOW, Event.EXPIRED),
    /** Another job of the same unique name takes its place, and may run now. */
    REPLACE(States.WAITING, StateName.ENQUEUED, Attempts.RESET, When.GIVEN, null),
    /** Another job of the same unique name takes its place, and its time has not come. */
    RESCHEDULE(States.WAITING, StateName.SCHEDULED, Attempts.RESET, When.GIVEN, null),
    /** An operator removes it and its history. */
    DELETE(States.NOT_RUNNING, null, Attempts.KEPT, When.NOW, null);

    private final Set<StateName> from;
    private final @Nullable StateName to;
    private final Attempts attempts;
    private final When when;
    private final @Nullable Event event;

    Trigger(Set<StateName> from, @Nullable StateName to, Attempts attempts, When when, @Nullable Event event) {
        this.from = from;
        this.to = to;
        this.attempts = attempts;
        this.when = when;
        this.event = event;
    }

    /** What happens to a new job that does not run at once. */
    public static Trigger ofNew(Due due, Instant now) {
        if (due instanceof Due.AfterJobs || due instanceof Due.Batch) {
            return WAIT;
        }
        return due.from(now).isAfter(now) ? SCHEDULE : INSERT;
    }

    /**
     * Whether this may happen to a job that stands there.
     *
     * @param state null for a job that is not kept
     */
    public boolean isAllowedIn(@Nullable StateName state) {
        return state == null ? from.isEmpty() : from.contains(state);
    }

    /** The state that follows; null if the job is kept no longer. */
    public @Nullable StateName to() {
        return to;
    }

    /** What it does to the number of attempts. */
    public Attempts attempts() {
        return attempts;
    }

    /** Since when, or from when on, the job is due afterwards. */
    public When when() {
        return when;
    }

    /** What the history says of it; null if it leaves no entry. */
    public @Nullable Event event() {
        return event;
    }

    /** Whether a run that is still going on has lost its lease, and should be asked to end. */
    public boolean takesLease() {
        return this == RESCUE || this == ABANDON || this == CANCEL || this == EXPIRE;
    }

    /** Whether what the job's steps returned is forgotten, so that each is done again. */
    public boolean forgetsSteps() {
        return this == RUN_FROM_START || this == REPLACE || this == RESCHEDULE;
    }

    /** Whether the node that holds the lease, or its rescuer, makes this happen by saying how the attempt ended. */
    public boolean endsAttempt() {
        return from == States.RUNNING;
    }

    /** What happens to the number of attempts that a job has had. */
    public enum Attempts {
        /** Stays as it is. */
        KEPT,
        /** One more. */
        COUNTED,
        /** The present attempt does not count. */
        UNCOUNTED,
        /** Begins at none. */
        RESET;

        /** The number afterwards. */
        public int after(int before) {
            return switch (this) {
                case KEPT -> before;
                case COUNTED -> before + 1;
                case UNCOUNTED -> before - 1;
                case RESET -> 0;
            };
        }
    }

    /** Where the time at which a job is due comes from. */
    public enum When {
        /** From the job: it keeps its turn. */
        KEPT,
        /** From the caller that makes this happen. */
        GIVEN,
        /** It is the present. */
        NOW
    }

    /** Sets of states that several constants share. */
    private static final class States {
        static final Set<StateName> NONE = EnumSet.noneOf(StateName.class);
        static final Set<StateName> RUNNING = EnumSet.of(StateName.PROCESSING);
        static final Set<StateName> WAITING = EnumSet.of(StateName.SCHEDULED, StateName.ENQUEUED, StateName.PARKED);
        static final Set<StateName> UNFINISHED =
                EnumSet.complementOf(EnumSet.of(StateName.SUCCEEDED, StateName.FAILED, StateName.CANCELLED));
        static final Set<StateName> NOT_RUNNING = EnumSet.complementOf(EnumSet.of(StateName.PROCESSING));
        static final Set<StateName> ENDED_OR_PARKED =
                EnumSet.of(StateName.SUCCEEDED, StateName.FAILED, StateName.CANCELLED, StateName.PARKED);

        private States() {}
    }
}
