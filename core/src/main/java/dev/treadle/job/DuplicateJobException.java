package dev.treadle.job;

/** A job was not kept because another stands in its way and {@link Unique.OnConflict#REJECT} was asked for. */
public class DuplicateJobException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient JobId holder;

    /** @param holder the job that stands in the way */
    public DuplicateJobException(JobId holder) {
        super("The job was not kept: job " + holder
                + " has the same unique name. Use tryEnqueue to get that as an answer instead.");
        this.holder = holder;
    }

    /** The job that stands in the way. */
    public JobId holder() {
        return holder;
    }
}
