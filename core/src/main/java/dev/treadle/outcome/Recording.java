package dev.treadle.outcome;

import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.StorageProvider;

/**
 * Writes endings in two streams that do not wait for each other: those of jobs with a key, whose write may have to wait
 * for the row of the key, and all others. Each stream is for one thread; any thread may offer.
 */
public final class Recording {
    private final OutcomeRecorder plain;
    private final OutcomeRecorder keyed;

    /**
     * @param listener   called on the threads of both streams
     * @param nudgePlain ends the rest of the loop that takes turns of {@link #plain}
     * @param nudgeKeyed the same of {@link #keyed}
     */
    public Recording(
            StorageProvider storage, OutcomeRecorder.Listener listener, Runnable nudgePlain, Runnable nudgeKeyed) {
        this.plain = new OutcomeRecorder(storage, nudgePlain, listener);
        this.keyed = new OutcomeRecorder(storage, nudgeKeyed, listener);
    }

    /** Hands in an ending; returns at once. */
    public void offer(Transition ending) {
        (ending.lease().job().traits().key() == null ? plain : keyed).offer(ending);
    }

    /** Hands in an ending that the run has committed by itself, so that only what follows is left to do. */
    public void offerWritten(Transition ending) {
        (ending.lease().job().traits().key() == null ? plain : keyed).offerWritten(ending);
    }

    /** Endings of jobs without a key. */
    public OutcomeRecorder plain() {
        return plain;
    }

    /** Endings of jobs with a key. */
    public OutcomeRecorder keyed() {
        return keyed;
    }

    /** How many endings have been offered and are not written yet. */
    public int waiting() {
        return plain.waiting() + keyed.waiting();
    }
}
