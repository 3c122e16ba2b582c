package dev.treadle.job;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Work that a running job does on several threads of its executor, and that never outlives the block in which it
 * started:
 *
 * <pre>{@code
 * try (JobScope scope = job.scope()) {
 *     Fork<Integer> stock = scope.fork("update-inventory", () -> inventory.update(order));
 *     Fork<Long> total = scope.fork("update-order", () -> orders.update(order));
 *     scope.join();
 *     return new Handled(stock.get(), total.get());
 * }
 * }</pre>
 *
 * <p>The first task that throws ends the scope: those that run are interrupted, those that wait are never begun, and
 * {@link #join} throws what it threw. When the job is cancelled, its time is over or its server stops, all of its forks are
 * interrupted. While it runs, a fork's thread is called {@code job-<id>/<name>}, and one of a scope within it
 * {@code job-<id>/<name>/<name>}, so that a thread dump shows what belongs together.
 *
 * <p>A fork has a thread of its own if one is free (on virtual threads there always is). One that has found none is run by
 * the thread that joins, so that a pool of one thread is enough. It follows that forks must not wait for each other on an
 * executor that has a fixed number of threads.
 *
 * <p>Kept in memory: when the node goes, its forks go with it, and the job's next attempt begins anew. Used by the thread
 * that opened it, and by no other.
 */
public interface JobScope extends AutoCloseable {
    /** Most tasks of one scope, in tasks. */
    int FORKS_MAX = 10_000;

    /** The longest name of a fork, in characters. */
    int NAME_CHARS_MAX = 64;

    /**
     * Starts a task, on another thread if one is free. After the scope was told to end, the task never starts.
     *
     * @param name 1 to {@value #NAME_CHARS_MAX} printable characters but {@code /}; several may have the same
     * @throws IllegalArgumentException if the name is not so
     * @throws IllegalStateException    if the scope is closed, is another thread's, or has {@value #FORKS_MAX} forks
     */
    <T extends @Nullable Object> Fork<T> fork(String name, Callable<T> task);

    /** The same for a task that gives nothing. */
    default Fork<@Nullable Void> fork(String name, Action task) {
        Callable<@Nullable Void> call = () -> {
            task.run();
            return null;
        };
        return fork(name, call);
    }

    /**
     * Waits until all forks have ended; those without a thread run here. More may be forked and joined after
     * that, unless it threw.
     *
     * @throws InterruptedException if the job was told to end, or this thread was interrupted: all forks are interrupted too
     * @throws Exception            what the first task threw that failed, as it threw it, so that retry rules see it
     */
    void join() throws Exception;

    /**
     * Interrupts what still runs, waits for its end, and lets nothing begin any more. A second close does nothing.
     *
     * @throws IllegalStateException if there are forks that were never joined: they were cut off, and that should not go
     *                               unseen
     */
    @Override
    void close();

    /** A task that gives nothing. */
    @FunctionalInterface
    interface Action {
        /** Does it. */
        void run() throws Exception;
    }
}
