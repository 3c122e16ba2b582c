package dev.treadle.job;

/** The job has succeeded and what it returned was not kept: it was too large, or no data. The message says which. */
public class ResultNotKeptException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With the reason. */
    public ResultNotKeptException(JobId id, String why) {
        super("Job " + id + " has succeeded, and its result was not kept. " + why);
    }
}
