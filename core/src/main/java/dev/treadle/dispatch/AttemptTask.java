package dev.treadle.dispatch;

import dev.treadle.invoke.Attempt;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Transition;
import dev.treadle.outcome.Outcome;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One attempt on this node, from the arrival of its lease until its ending is recorded, and the task that the executor runs
 * for it. Its stage says how far the attempt has come. The thread that changes the stage owns the next step, so an attempt
 * runs at most once, however often an executor gets it, and an attempt that no thread works on any more can be recognized.
 * Thread-safe.
 */
class AttemptTask implements Runnable {
    /** How far an attempt has come. */
    enum Stage {
        /** It waits for a permit. */
        WAITING,
        /** It has its permits, and a thread is handing it to the executor. */
        STARTING,
        /** The executor has it and has not started to run it. */
        HANDED_OVER,
        /** A thread of the executor runs it. */
        RUNNING,
        /** It will not run any more, and a thread is ending it. */
        SETTLING,
        /** The thread that ran or settled it is gone, and the ending was not handed in. */
        ABANDONED,
        /** Its ending is handed in. */
        ENDED
    }

    private final Consumer<AttemptTask> runner;
    private final LocalQueue queue;
    private final Attempt attempt;
    private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.WAITING);
    private final AtomicBoolean recorded = new AtomicBoolean();

    /** Written by the thread that owns the stage, like the next three. */
    private volatile boolean holdsPermits;

    private volatile boolean holdsResources = true;
    /** How the run ended; null if it did not run. */
    private volatile @Nullable Outcome outcome;
    /** The ending that was handed in or is about to be. */
    private volatile @Nullable Transition ending;

    /** The stage at the last look, and below how many looks in a row found it. Used by {@link LostAttempts} only. */
    private @Nullable Stage seen;

    private int looks;

    /** @param runner runs the attempt, on the thread of the executor */
    AttemptTask(Consumer<AttemptTask> runner, LocalQueue queue, Lease lease) {
        this.runner = runner;
        this.queue = queue;
        this.attempt = new Attempt(lease);
    }

    /** The attempts that are handed to an executor, or given back, together with this: most go by themselves. */
    List<? extends AttemptTask> together() {
        return List.of(this);
    }

    /** Whether it is where it will be found by what starts waiting attempts. */
    boolean isKeptToWait() {
        return queue.waiting().contains(this);
    }

    /** It is given to its executor; false if it was ended before. */
    boolean handsOver() {
        return advance(Stage.STARTING, Stage.HANDED_OVER);
    }

    /** Its ending is recorded: this node has done with it. */
    void left() {
        queue.recorded();
    }

    final LocalQueue queue() {
        return queue;
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

    /** Changes the stage; false if it was not {@code from}. */
    boolean advance(Stage from, Stage to) {
        return stage.compareAndSet(from, to);
    }

    /**
     * Notes that the permits of its executor and of its queue are taken for it.
     *
     * @return false if it has been ended already and does not need them
     */
    boolean takePermits() {
        boolean starts = advance(Stage.WAITING, Stage.STARTING);
        if (starts) {
            holdsPermits = true;
        }
        return starts;
    }

    /** Keeps it from running; the caller must end it. False if it is running or another thread ends it. */
    boolean cancel() {
        return advance(Stage.STARTING, Stage.SETTLING) || advance(Stage.HANDED_OVER, Stage.SETTLING);
    }

    @Override
    public void run() {
        if (advance(Stage.HANDED_OVER, Stage.RUNNING)) {
            try {
                runner.accept(this);
            } finally {
                // has no effect once the ending is handed in
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

    /** Notes that its ending has been recorded; true for the first caller. */
    boolean markRecorded() {
        return recorded.compareAndSet(false, true);
    }

    boolean isRecorded() {
        return recorded.get();
    }

    /**
     * Notes the stage seen by a look. Used by one thread.
     *
     * @return how many looks in a row have seen this stage
     */
    int look(Stage now) {
        looks = now == seen ? looks + 1 : 1;
        seen = now;
        return looks;
    }
}
