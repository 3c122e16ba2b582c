package dev.treadle.job;

/**
 * Ends a run of a job that waits at a gate: nothing has gone wrong, and the job's handler is called again from the top when
 * the gate opens. An Error, so that {@code catch (Exception e)} in the job's code does not meet it. Code that catches it
 * changes nothing: the job still waits when its code returns.
 */
public final class JobSuspension extends Error {
    private static final long serialVersionUID = 1L;

    /** @param name what the job's code calls the gate */
    public JobSuspension(String name) {
        super("The job waits for '" + name + "' and is called again when that has ended.", null, false, false);
    }
}
