package dev.treadle.dispatch;

import dev.treadle.executor.JobRunrExecutor;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/** One executor, and the permits that limit how many jobs run on it at once. Thread-safe. */
public final class WorkerPool {
    private final Executor executor;
    private final Permits permits;
    /** Whether forks get a thread without a permit. */
    private final boolean lendsBeyondWorkers;
    /** How many threads are lent to forks. */
    private final AtomicInteger forks = new AtomicInteger();

    /** @param workers how many jobs may run on the executor at once */
    public WorkerPool(Executor executor, int workers) {
        this.executor = executor;
        this.permits = new Permits(workers);
        this.lendsBeyondWorkers = executor instanceof JobRunrExecutor lender && lender.lendsBeyondWorkers();
    }

    Executor executor() {
        return executor;
    }

    Permits permits() {
        return permits;
    }

    /** How many of its jobs are running now. */
    public int running() {
        return permits.taken() - permitsOfForks();
    }

    /** The executor's name. */
    String name() {
        return executor instanceof JobRunrExecutor named
                ? named.executorName()
                : executor.getClass().getSimpleName();
    }

    WorkerPoolStats stats() {
        return new WorkerPoolStats(name(), permits.total(), permits.taken(), running(), forks.get());
    }

    /** How many permits forks hold. */
    int permitsOfForks() {
        return lendsBeyondWorkers ? 0 : forks.get();
    }

    /**
     * Runs a fork of a job on another thread, if one is free. On an executor with a fixed number of threads the fork also
     * takes a permit, so that no job is started for which there is no thread.
     *
     * @param freed run when the thread is free again
     * @return false if no thread is free
     */
    boolean lend(Runnable task, Runnable freed) {
        if (!lendsBeyondWorkers && !permits.tryTake()) {
            return false;
        }
        forks.incrementAndGet();
        boolean lent = false;
        try {
            executor.execute(() -> {
                try {
                    task.run();
                } finally {
                    takeBack(freed);
                }
            });
            lent = true;
        } catch (RejectedExecutionException e) {
            // the executor is shutting down: the thread that joins the fork runs it
        } finally {
            if (!lent) {
                takeBack(freed);
            }
        }
        return lent;
    }

    private void takeBack(Runnable freed) {
        forks.decrementAndGet();
        if (!lendsBeyondWorkers) {
            permits.giveBack();
            freed.run();
        }
    }
}
