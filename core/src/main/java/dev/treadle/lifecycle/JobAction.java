package dev.treadle.lifecycle;

import dev.treadle.job.OperatorAct;
import dev.treadle.job.OperatorNote;

/** What people and programs can do to a job that is there. */
public enum JobAction {
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

    JobAction(Trigger trigger) {
        this.trigger = trigger;
    }

    /** What it does to a job. */
    public Trigger trigger() {
        return trigger;
    }

    /** As an audit row tells it. */
    public OperatorAct on(String target, OperatorNote note) {
        return new OperatorAct(name(), note, target);
    }
}
