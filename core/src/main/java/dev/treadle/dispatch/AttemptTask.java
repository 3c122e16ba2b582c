package dev.treadle.dispatch;

import dev.treadle.invoke.Attempt;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Transition;
import dev.treadle.outcome.Outcome;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One attempt on this node, from the arrival of its lease until its ending is written, and the task that the executor runs
 * for it. It records how far the attempt has come. Each step belongs to the one thread that wins the change of stage: an
 * attempt runs at most once, however often an executor gets it, and one that no thread works on any more can be told from
 * the others. Thread-safe.
 */
final class AttemptTask implements Runnable {
    /** How far an attempt has come. */
    enum Stage {
        /** It waits for a permit. */
        WAITING,
        /** It has its permits, and a thread is about to hand it to the executor. */
        STARTING,
        /** The executor has it and has not begun to run it. */
        HANDED_OVER,
        /** A thread of the executor runs it. */
        RUNNING,
        /** It will not run any more, and a thread is bringing it to its end. */
        SETTLING,
        /** The thread that ran or settled it went away before the ending was handed in. */
        ABANDONED,
        /** Its ending is handed in. */
        ENDED
    }

    private final AttemptRunner runner;
    private final LocalQueue line;
    private final Attempt attempt;
    private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.WAITING);
    private final AtomicBoolean written = new AtomicBoolean();

    /** Written by the thread that the stage belongs to, as are the next three. */
    private volatile boolean holdsPermits;

    private volatile boolean holdsResources = true;
    /** How the run ended; null if it did not run. */
    private volatile @Nullable Outcome outcome;
    /** What was handed in, or is about to be. */
    private volatile @Nullable Transition ending;

    /** The stage at the last look, and how many looks in a row have found it. Touched by {@link LostAttempts} only. */
    private @Nullable Stage seen;

    private int looks;

    AttemptTask(AttemptRunner runner, LocalQueue line, Lease lease) {
        this.runner = runner;
        this.line = line;
        this.attempt = new Attempt(lease);
    }

    LocalQueue line() {
        return line;
    }

    Attempt attempt() {
        return attempt;
    }

    Lease lease() {
        return attempt.lease();
    }

    Stage stage() {
        return stage.get();
    }

    /** Goes on to another stage; false if it was not in that one. */
    boolean advance(Stage from, Stage to) {
        return stage.compareAndSet(from, to);
    }

    /**
     * It has got the permits of its executor and of its queue.
     *
     * @return false if it has been brought to its end already and does not need them
     */
    boolean takePermits() {
        boolean starts = advance(Stage.WAITING, Stage.STARTING);
        if (starts) {
            holdsPermits = true;
        }
        return starts;
    }

    /** It will never run from now on, and the caller brings it to its end; false if it has begun or somebody else does. */
    boolean callOff() {
        return advance(Stage.STARTING, Stage.SETTLING) || advance(Stage.HANDED_OVER, Stage.SETTLING);
    }

    @Override
    public void run() {
        if (advance(Stage.HANDED_OVER, Stage.RUNNING)) {
            try {
                runner.run(this);
            } finally {
                // it changes nothing once the ending is handed in
                advance(Stage.RUNNING, Stage.ABANDONED);
            }
        }
    }

    boolean holdsPermits() {
        return holdsPermits;
    }

    void permitsGivenBack() {
        holdsPermits = false;
    }

    boolean holdsResources() {
        return holdsResources;
    }

    void resourcesGivenBack() {
        holdsResources = false;
    }

    @Nullable
    Outcome outcome() {
        return outcome;
    }

    void outcome(Outcome outcome) {
        this.outcome = outcome;
    }

    @Nullable
    Transition ending() {
        return ending;
    }

    void ending(Transition ending) {
        this.ending = ending;
    }

    void handedIn() {
        stage.set(Stage.ENDED);
    }

    /** Its ending is written; true for the first caller. */
    boolean write() {
        return written.compareAndSet(false, true);
    }

    boolean isWritten() {
        return written.get();
    }

    /**
     * Looks at its stage. For one thread.
     *
     * @return how many looks in a row have found this stage
     */
    int look(Stage now) {
        looks = now == seen ? looks + 1 : 1;
        seen = now;
        return looks;
    }
}
