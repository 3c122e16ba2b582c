package dev.treadle.lifecycle;

import dev.treadle.job.Failure;
import dev.treadle.job.JobResult;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The ways in which an attempt ends, as {@linkplain Lifecycle transitions} of its job. */
public final class AttemptEnd {
    private AttemptEnd() {}

    /** It ended well and returned nothing. */
    public static Transition succeeded(Lease lease, Duration ranFor) {
        return succeeded(lease, ranFor, null);
    }

    /**
     * It ended well.
     *
     * @param result what it returned; null if nothing
     */
    public static Transition succeeded(Lease lease, Duration ranFor, @Nullable JobResult result) {
        return end(lease, Trigger.SUCCEED, new Details(ranFor, null, null, result, false));
    }

    /** It threw, and another attempt follows after a delay. */
    public static Transition retried(Lease lease, Duration ranFor, Failure why, Duration delay) {
        return Lifecycle.end(lease, Trigger.RETRY, failed(ranFor, why), delay);
    }

    /** It threw, and no other attempt follows. */
    public static Transition failed(Lease lease, Duration ranFor, Failure why) {
        return end(lease, Trigger.FAIL, failed(ranFor, why));
    }

    /** Its node was lost, and another attempt follows after a delay. */
    public static Transition rescued(Lease lease, Failure why, Duration delay) {
        return Lifecycle.end(lease, Trigger.RESCUE, failed(null, why), delay);
    }

    /** Its node was lost, and no other attempt follows. */
    public static Transition abandoned(Lease lease, Failure why) {
        return end(lease, Trigger.ABANDON, failed(null, why));
    }

    /** It asked to be run again after a delay, and does not count. */
    public static Transition snoozed(Lease lease, Duration ranFor, Duration delay) {
        return Lifecycle.end(lease, Trigger.SNOOZE, Details.ran(ranFor), delay);
    }

    /** It waits at a gate, and does not count. */
    public static Transition suspended(Lease lease, Duration ranFor) {
        return end(lease, Trigger.SUSPEND, Details.ran(ranFor));
    }

    /**
     * The node cannot run the job; it does not count.
     *
     * @param known see {@link Details#known}
     */
    public static Transition parked(Lease lease, Failure why, boolean known) {
        return end(lease, Trigger.PARK, new Details(null, why, null, null, known));
    }

    /** User code was never reached; it does not count. */
    public static Transition givenBack(Lease lease) {
        return end(lease, Trigger.GIVE_BACK, Details.NONE);
    }

    /** User code was interrupted after so long; it does not count. */
    public static Transition stopped(Lease lease, Duration ranFor) {
        return end(lease, Trigger.STOP, Details.ran(ranFor));
    }

    private static Details failed(@Nullable Duration ranFor, Failure why) {
        return new Details(ranFor, why, null, null, false);
    }

    private static Transition end(Lease lease, Trigger trigger, Details details) {
        return Lifecycle.end(lease, trigger, details, null);
    }
}
