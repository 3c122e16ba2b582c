package dev.treadle.job;

/**
 * The job has succeeded, but its result was not stored: it was too large, or cannot be written as data. The message
 * says which.
 */
public class ResultNotKeptException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With the reason. */
    public ResultNotKeptException(JobId id, String why) {
        super("Job " + id + " has succeeded, and its result was not kept. " + why);
    }
}
