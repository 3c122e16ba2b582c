package dev.treadle.storage.admin;

import dev.treadle.job.JobId;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Trigger;
import dev.treadle.storage.OperatorAct;
import dev.treadle.storage.QueueStorage;
import dev.treadle.storage.RecurringStorage;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What people do to jobs, with a trace of it: each call writes its audit row in the transaction in which it moves the
 * jobs, so neither is without the other. What they do to {@linkplain QueueStorage queues} and {@linkplain
 * RecurringStorage what recurs} takes its act along in the same way. Thread-safe.
 */
public interface Operators {
    /** Most jobs that one call moves. */
    int JOBS_MAX = 200;
    /** Most audit rows that one call gives. */
    int AUDIT_MAX = 200;

    /**
     * Does one thing to some jobs. Those it cannot be done to, because they have moved on, are left as they are.
     *
     * @param ids at most {@link #JOBS_MAX}
     * @return one answer for each job, in their order
     */
    List<WriteResult> act(OperatorAct act, List<JobId> ids);

    /**
     * Writes down something that was done elsewhere.
     *
     * @param jobs how many jobs it was done to
     */
    void note(OperatorAct act, int jobs);

    /**
     * What was done, latest first.
     *
     * @param before only rows before the one with this number; null for the latest
     * @param max    most rows to give, 1 to {@link #AUDIT_MAX}
     */
    List<Done> audit(@Nullable Long before, int max);

    /** What can be done to a job. */
    enum Action {
        /** Makes a job that has ended or is parked Enqueued again, with all its attempts before it. */
        RUN_AGAIN(Trigger.RUN_AGAIN),
        /** The same, and forgets what its steps returned. */
        RUN_FROM_START(Trigger.RUN_FROM_START),
        /** Makes a Scheduled job Enqueued. */
        RUN_NOW(Trigger.RUN_NOW),
        /** Makes a job that has not ended Cancelled. */
        CANCEL(Trigger.CANCEL),
        /** Removes a job that does not run, and its history. */
        DELETE(Trigger.DELETE);

        private final Trigger trigger;

        Action(Trigger trigger) {
            this.trigger = trigger;
        }

        /** What it does to a job. */
        public Trigger trigger() {
            return trigger;
        }

        /** Somebody does it to jobs. */
        public OperatorAct on(String target, OperatorNote note) {
            return new OperatorAct(name(), note, target);
        }
    }

    /**
     * An audit row.
     *
     * @param number grows with each row
     * @param at     when, by the clock of the storage
     * @param by     who
     * @param action what
     * @param target what it was aimed at
     * @param why    the reason given; null if none was
     * @param jobs   how many jobs it was done to
     */
    record Done(
            long number,
            Instant at,
            String by,
            String action,
            String target,
            @Nullable String why,
            int jobs) {}
}
