package dev.treadle.job;

/**
 * The run lost its lease before its transaction could be committed: the job was cancelled, or another node took it over.
 * The transaction was rolled back, and nothing that this run still does counts.
 */
public class LeaseLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message what was rolled back */
    public LeaseLostException(String message) {
        super(message);
    }
}
