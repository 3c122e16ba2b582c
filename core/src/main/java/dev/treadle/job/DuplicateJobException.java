package dev.treadle.job;

/** A job was refused because another one has its unique name and {@link Unique.OnConflict#REJECT} was asked for. */
public class DuplicateJobException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient JobId holder;

    /** @param holder the job that has the name */
    public DuplicateJobException(JobId holder) {
        super("The job was not kept: job " + holder
                + " has the same unique name. Use tryEnqueue to get that as an answer instead.");
        this.holder = holder;
    }

    /** The job that has the name. */
    public JobId holder() {
        return holder;
    }
}
