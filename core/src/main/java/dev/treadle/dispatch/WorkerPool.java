package dev.treadle.dispatch;

import dev.treadle.executor.JobRunrExecutor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One executor, how many jobs may run on it at once, and the lines of jobs that are for it. Thread-safe. */
public final class WorkerPool {
    private final Executor executor;
    private final Permits permits;
    /** Whether forks get threads without a permit. */
    private final boolean lendsBeyondWorkers;
    /** Threads that forks of jobs have. */
    private final AtomicInteger forks = new AtomicInteger();

    private final List<LocalQueue> lines = new CopyOnWriteArrayList<>();
    private final FairOrder claims = new FairOrder();
    /** How many have asked for jobs to be handed over since nobody did so. */
    private final AtomicInteger asked = new AtomicInteger();
    /** Touched by the thread that hands over. */
    private final FairOrder starts = new FairOrder();

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

    /** How many of its jobs run now. */
    public int running() {
        return permits.taken() - permitsOfForks();
    }

    /** What the executor is called. */
    String name() {
        return executor instanceof JobRunrExecutor named
                ? named.executorName()
                : executor.getClass().getSimpleName();
    }

    WorkerPoolStats state() {
        return new WorkerPoolStats(name(), permits.total(), permits.taken(), running(), forks.get());
    }

    private int permitsOfForks() {
        return lendsBeyondWorkers ? 0 : forks.get();
    }

    /**
     * Runs a fork of a job on another thread, if there is one to spare: where threads are few, a permit goes with it, so
     * that no job is started that would find none.
     *
     * @param freed done when the thread is free again
     * @return false if there is none
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
            // it is being stopped: the joining thread runs the fork
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

    void add(LocalQueue line) {
        lines.add(line);
    }

    /** How many more jobs could be claimed for it, those that short jobs make it claim ahead among them. */
    int room() {
        int ahead = 0;
        int held = 0;
        for (LocalQueue line : lines) {
            ahead += line.shareAhead();
            held += line.shareHeld();
        }
        return permits.ceiling() + Math.min(ahead, Prefetch.PREFETCH_MAX) - held - permitsOfForks();
    }

    /**
     * Whether one more job may be held here that is not claimed but born: as many as a claim could have brought here, so
     * that endings which cannot be written do not gather without bound.
     */
    boolean mayHoldMore() {
        int held = 0;
        for (LocalQueue line : lines) {
            held += line.held();
        }
        return held < permits.total() + Prefetch.PREFETCH_MAX;
    }

    /** Whose turn it is to be claimed for. */
    LocalQueue nextToClaim(Collection<LocalQueue> wanting) {
        return next(claims, wanting, LocalQueue::claims);
    }

    private static LocalQueue next(
            FairOrder order,
            Collection<LocalQueue> wanting,
            java.util.function.Function<LocalQueue, FairOrder.Account> account) {
        FairOrder.Account next = order.next(wanting.stream().map(account).toList());
        return wanting.stream()
                .filter(line -> account.apply(line) == next)
                .findFirst()
                .orElseThrow();
    }

    /** Whether nobody but this line, which has no limit of its own, is for this executor. */
    private boolean isOnlyFor(LocalQueue line) {
        return lines.size() == 1 && line.limit() == null;
    }

    /**
     * Starts waiting jobs as far as permits go. Any thread.
     *
     * @param line  one that may have something waiting, or has just got a permit back
     * @param start starts a job, whose permits are taken, or gives them back
     */
    void handOver(LocalQueue line, Starter start) {
        if (isOnlyFor(line)) {
            handOverOnly(line, start);
        }
        // why asked again: another line may have come while a permit was taken for nothing, and found none
        if (!isOnlyFor(line)) {
            handOverInTurn(start);
        }
    }

    private void handOverOnly(LocalQueue line, Starter start) {
        while (!line.waiting().isEmpty() && permits.tryTake()) {
            take(line, start);
        }
    }

    /** One thread at a time, since two would take permits from under each other and both go away. */
    private void handOverInTurn(Starter start) {
        if (asked.getAndIncrement() != 0) {
            return;
        }
        boolean done = false;
        try {
            int answered;
            do {
                answered = asked.get();
                for (LocalQueue next; (next = takeForNext()) != null; ) {
                    take(next, start);
                }
            } while (asked.addAndGet(-answered) != 0);
            done = true;
        } finally {
            if (!done) {
                // an error on its way up: the next thread that ends a job hands over
                asked.set(0);
            }
        }
    }

    /** The line whose turn it is, with both permits taken; null if there is no permit, or no line that can use it. */
    private @Nullable LocalQueue takeForNext() {
        if (!permits.tryTake()) {
            return null;
        }
        LocalQueue next = null;
        try {
            next = nextToStart();
            return next;
        } finally {
            if (next == null) {
                permits.giveBack();
            }
        }
    }

    /** One permit of the executor, and of the line if it has a limit, are taken. */
    private void take(LocalQueue line, Starter start) {
        AttemptTask next = line.waiting().poll();
        if (next == null || !next.takePermits()) {
            giveBack(line);
        } else {
            start.start(next);
        }
    }

    /** The line whose turn it is, with a permit of its own taken; null if none can start a job. */
    private @Nullable LocalQueue nextToStart() {
        List<LocalQueue> able = new ArrayList<>();
        for (LocalQueue line : lines) {
            if (!line.waiting().isEmpty() && line.mayStart()) {
                able.add(line);
            }
        }
        while (!able.isEmpty()) {
            LocalQueue next = next(starts, able, LocalQueue::starts);
            if (next.tryTakeOwn()) {
                next.starts().pay(1);
                return next;
            }
            able.remove(next);
        }
        return null;
    }

    /**
     * Takes the permits for a job of a line, if both are free. A caller that fails must {@linkplain #handOver hand over}: what
     * it held for a moment may have been missed.
     */
    boolean tryTake(LocalQueue line) {
        if (!permits.tryTake()) {
            return false;
        }
        boolean own = line.tryTakeOwn();
        if (!own) {
            permits.giveBack();
        }
        return own;
    }

    /** The job of a line needs its permits no more. */
    void giveBack(LocalQueue line) {
        line.giveBackOwn();
        permits.giveBack();
    }

    /** For each line. */
    void forEach(Consumer<LocalQueue> work) {
        lines.forEach(work);
    }

    /** Starts a job whose permits are taken. */
    interface Starter {
        void start(AttemptTask task);
    }
}
