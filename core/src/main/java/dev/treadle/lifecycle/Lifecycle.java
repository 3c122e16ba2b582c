package dev.treadle.lifecycle;

import dev.treadle.job.Due;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of a job: the only place that does. Pure: no clock, storage or thread in it. It answers for every
 * state and every {@link Trigger}: with a transition, or with a refusal.
 */
public final class Lifecycle {
    private Lifecycle() {}

    /**
     * What something that happens makes of a job.
     *
     * @param from where the job stands
     * @param due  when the job is due, where the trigger {@linkplain Trigger.When#GIVEN leaves that open}
     * @return null if this cannot happen to a job in that state, so that nothing is to be written
     */
    public static @Nullable Transition decide(JobId job, Position from, Trigger trigger, Details details, Due due) {
        return trigger.isAllowedIn(from.state())
                ? new Transition(job, trigger, from, to(from, from.traits(), trigger, due), details, null)
                : null;
    }

    /** The same where the trigger says by itself when the job is due. */
    public static @Nullable Transition decide(JobId job, Position from, Trigger trigger, Details details) {
        return decide(job, from, trigger, details, Due.NOW);
    }

    /**
     * What becomes of a job whose place another of the same name takes. It lets go of the slot of its key and begins
     * anew.
     *
     * @param later the time of the other has not come
     * @return null if it does not wait any more
     */
    public static @Nullable Transition replace(JobId job, Position from, JobTraits by, Due due, boolean later) {
        Trigger trigger = later ? Trigger.RESCHEDULE : Trigger.REPLACE;
        return trigger.isAllowedIn(from.state())
                ? new Transition(job, trigger, from, to(Position.ofNew(by), by, trigger, due), Details.NONE, null)
                : null;
    }

    /**
     * What becomes of a job whose attempt ended.
     *
     * @param trigger one that {@linkplain Trigger#endsAttempt ends an attempt}
     * @param delay   how long to wait for the next attempt; null if the trigger asks for no wait
     * @throws IllegalArgumentException if the trigger ends no attempt, or asks for a wait and there is none
     */
    public static Transition end(Lease lease, Trigger trigger, Details details, @Nullable Duration delay) {
        if (!trigger.endsAttempt()) {
            throw new IllegalArgumentException(trigger + " is not the end of an attempt.");
        }
        if (trigger.when() == Trigger.When.GIVEN && delay == null) {
            throw new IllegalArgumentException(trigger + " needs a delay.");
        }
        Due due = delay == null ? Due.NOW : new Due.After(delay);
        Position from = Position.of(lease);
        Position to = to(from, from.traits(), trigger, due);
        return new Transition(lease.job().id(), trigger, from, to, details, lease);
    }

    private static Position to(Position from, JobTraits traits, Trigger trigger, Due due) {
        return new Position(
                trigger.to(),
                traits,
                from.slot().in(trigger.to(), traits.key()),
                trigger.attempts().after(from.attempt()),
                switch (trigger.when()) {
                    case KEPT -> from.when();
                    case GIVEN -> due;
                    case NOW -> Due.NOW;
                });
    }
}
