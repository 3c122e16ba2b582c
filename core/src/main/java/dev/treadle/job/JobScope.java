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
 * <p>The first task that throws ends the scope: running tasks are interrupted, waiting ones never start, and {@link
 * #join} throws the same exception. When the job is cancelled, its time is over or its server stops, all of its forks
 * are interrupted. While a fork runs, its thread is named {@code job-<id>/<name>}, and the thread of a nested fork
 * {@code job-<id>/<name>/<name>}, so a thread dump shows which threads belong to a job.
 *
 * <p>A fork gets a thread of its own if one is free; on virtual threads there always is one. The joining thread runs
 * the other forks, so a pool of one thread is enough. On an executor with a fixed number of threads, forks must
 * therefore not wait for each other.
 *
 * <p>Forks exist in memory only: if the node dies, its forks are lost, and the job's next attempt starts from the
 * beginning. Only the thread that opened a scope may use it.
 */
public interface JobScope extends AutoCloseable {
    /** Most tasks of one scope, in tasks. */
    int FORKS_MAX = 10_000;

    /** The longest name of a fork, in characters. */
    int NAME_CHARS_MAX = 64;

    /**
     * Starts a task, on another thread if one is free. After the scope was told to end, the task never starts.
     *
     * @param name 1 to {@value #NAME_CHARS_MAX} printable characters except {@code /}; forks may have equal names
     * @throws IllegalArgumentException if the name has other characters or another length
     * @throws IllegalStateException    if the scope is closed, is another thread's, or has {@value #FORKS_MAX} forks
     */
    <T extends @Nullable Object> Fork<T> fork(String name, Callable<T> task);

    /** The same for a task without a result. */
    default Fork<@Nullable Void> fork(String name, Action task) {
        Callable<@Nullable Void> call = () -> {
            task.run();
            return null;
        };
        return fork(name, call);
    }

    /**
     * Waits until all forks have ended, and runs those without a thread here. Unless it threw, more tasks may be forked
     * and joined afterwards.
     *
     * @throws InterruptedException if the job was told to end, or this thread was interrupted: all forks are interrupted too
     * @throws Exception            the exception of the first task that failed, unwrapped, so that retry rules see it
     */
    void join() throws Exception;

    /**
     * Interrupts running forks and waits for their end. No further fork starts. A second close does nothing.
     *
     * @throws IllegalStateException if forks were never joined; they have been cut off
     */
    @Override
    void close();

    /** A task without a result. */
    @FunctionalInterface
    interface Action {
        /** Runs the task. */
        void run() throws Exception;
    }
}
