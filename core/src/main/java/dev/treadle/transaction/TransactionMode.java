package dev.treadle.transaction;

/** What a call of the scheduler has to do with the transaction that is open on its thread, if there is one. */
public enum TransactionMode {
    /** Takes part in it: what the call writes is committed, or rolled back, with it. The default. */
    JOIN,
    /**
     * Enqueues after its commit, and never if it is rolled back. No row or key is locked while the transaction is open, but
     * a process that dies just after the commit loses the job.
     */
    AFTER_COMMIT,
    /** Has nothing to do with it: the call commits by itself before it returns. */
    OWN
}
