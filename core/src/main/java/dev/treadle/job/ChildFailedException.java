package dev.treadle.job;

/**
 * A job joined children that have not succeeded. The job gives up, because a further attempt would find the same, unless
 * its code catches this. If the child is run again and succeeds, the job can be run again too and goes on.
 */
public final class ChildFailedException extends GiveUpException {
    private static final long serialVersionUID = 1L;

    private final transient JobId child;

    /** @param child the first child that did not succeed */
    public ChildFailedException(JobId child, String message) {
        super(message);
        this.child = child;
    }

    /** The first child that did not succeed. */
    public JobId child() {
        return child;
    }
}
