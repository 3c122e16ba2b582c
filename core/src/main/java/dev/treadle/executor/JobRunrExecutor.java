package dev.treadle.executor;

import dev.treadle.discovery.ExecutorDiscovery;
import java.util.concurrent.Executor;

/**
 * Lends a thread to each job. The three abstract methods are the published design, and enough; the default methods add
 * what a server wants to know beyond it.
 *
 * <p>What an executor owes:
 *
 * <ul>
 *   <li>{@link #execute execute} runs the task exactly once, on another thread than the caller's, or throws
 *       {@link java.util.concurrent.RejectedExecutionException}. A task is never dropped: the server hands a refused job
 *       back to the database, and cannot know of a dropped one.
 *   <li>It never decides how many jobs run. The server bounds that, so up to the worker count of
 *       {@link #start(ExecutorSettings)} it lends a thread at once.
 *   <li>A task that throws costs nobody else a thread.
 *   <li>All methods may be called from any thread, {@code execute} from many at once.
 *   <li>No thread before {@code start}: discovery constructs executors that are not chosen, and never stops them.
 * </ul>
 *
 * <p>Life: one instance serves one server, which starts it once, hands it tasks and stops it. Starting it a second time,
 * or after {@code stop}, is not part of the contract: ours refuse with {@link IllegalStateException}. The test class
 * {@code dev.treadle.contracts.executor.JobRunrExecutorContract} holds an executor to all of this.
 *
 * <p>To be found by {@link ExecutorDiscovery}, name the class in
 * {@code META-INF/services/dev.treadle.executor.JobRunrExecutor} or in a module's {@code provides}; it needs a public
 * constructor without parameters.
 */
public interface JobRunrExecutor extends Executor {
    /** Who wins when several are registered: the highest number. Constant; null makes this a broken provider. */
    Integer getPriority();

    /** Begins to lend threads, as many as the executor thinks right. */
    void start();

    /**
     * Releases the threads, after the tasks they were lent to; from now on {@code execute} throws
     * {@link java.util.concurrent.RejectedExecutionException}. Tasks already accepted still run. Waiting for them and
     * interrupting them is the server's part, not this method's. May be called again, and before {@code start}.
     */
    void stop();

    /** What this executor is called in settings ({@code executor=…}), logs and reports: short, constant, not blank. */
    default String executorName() {
        String simpleName = getClass().getSimpleName();
        return simpleName.isEmpty() ? getClass().getName() : simpleName;
    }

    /** Begins to lend threads. This is the one the server calls. */
    default void start(ExecutorSettings settings) {
        start();
    }

    /**
     * How many jobs the server runs at once unless that was set, 1 to {@value ExecutorSettings#WORKERS_MAX}.
     *
     * @param cores processors of this machine
     */
    default int defaultWorkers(int cores) {
        return 8 * cores;
    }

    /**
     * Whether it lends a thread at once to any number of tasks, also beyond the worker count it was started with. What jobs
     * fork then always gets a thread; else it gets one while fewer jobs run than there are workers.
     */
    default boolean lendsBeyondWorkers() {
        return false;
    }
}
