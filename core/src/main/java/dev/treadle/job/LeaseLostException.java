package dev.treadle.job;

/**
 * The run lost its lease before its transaction could be committed or its step recorded: the job was cancelled, or another
 * node took it over. Nothing of that was kept, and nothing that this run still does counts.
 */
public class LeaseLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message what was not kept */
    public LeaseLostException(String message) {
        super(message);
    }
}
