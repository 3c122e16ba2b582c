package dev.treadle.job;

/** The names of a job's states. */
public enum StateName {
    /** The job waits for its time. */
    SCHEDULED(0),
    /** The job is due, and any node with a free permit may claim it. */
    ENQUEUED(1),
    /** A node holds the lease of the job. */
    PROCESSING(2),
    /** The job succeeded. */
    SUCCEEDED(3),
    /** The last attempt failed, or the job gave up. */
    FAILED(4),
    /** A person or program cancelled the job. */
    CANCELLED(5),
    /**
     * The nodes that claimed the job do not know how to run it. It returns when a node does. The attempts do not count.
     */
    PARKED(6),
    /** The job waits at a gate: for other jobs to end, or for an event. It holds no thread, no lease and no permit. */
    WAITING(7);

    private final int code;

    StateName(int code) {
        this.code = code;
    }

    /** The number of this state in storage; never changes. */
    public int code() {
        return code;
    }

    /**
     * The state of a stored number.
     *
     * @throws IllegalArgumentException if no state has that number, as when a newer Treadle wrote it
     */
    public static StateName of(int code) {
        for (StateName state : values()) {
            if (state.code == code) {
                return state;
            }
        }
        throw new IllegalArgumentException("No job state has the code " + code
                + ": a newer Treadle may have written it. Upgrade this node or correct the row.");
    }

    /** Nothing more happens to the job unless an operator asks for it. */
    public boolean isFinal() {
        return this == SUCCEEDED || this == FAILED || this == CANCELLED;
    }
}
