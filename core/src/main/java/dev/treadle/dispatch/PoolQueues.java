package dev.treadle.dispatch;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The queues that share a worker pool: in which order they claim and start, and their permits together. Thread-safe. */
final class PoolQueues {
    private final WorkerPool pool;
    private final List<LocalQueue> queues = new CopyOnWriteArrayList<>();
    private final FairOrder claims = new FairOrder();
    /** Calls to {@link #handOver} that are not answered yet. */
    private final AtomicInteger requests = new AtomicInteger();
    /** Used by the one thread that hands over. */
    private final FairOrder starts = new FairOrder();

    PoolQueues(WorkerPool pool) {
        this.pool = pool;
    }

    void add(LocalQueue queue) {
        queues.add(queue);
    }

    WorkerPool pool() {
        return pool;
    }

    /** How many more jobs could be claimed for the pool, including those claimed ahead because jobs are short. */
    int room() {
        int ahead = 0;
        int held = 0;
        for (LocalQueue queue : queues) {
            ahead += queue.shareAhead();
            held += queue.shareHeld();
        }
        return pool.permits().ceiling() + Math.min(ahead, Prefetch.PREFETCH_MAX) - held - pool.permitsOfForks();
    }

    /**
     * Whether one more job may be inserted with a lease for this node. No more are held than claims could have brought
     * here, so that endings which cannot be recorded do not pile up without limit.
     */
    boolean mayHoldMore() {
        int held = 0;
        for (LocalQueue queue : queues) {
            held += queue.held();
        }
        return held < pool.permits().total() + Prefetch.PREFETCH_MAX;
    }

    /** The queue to claim for next. */
    LocalQueue nextToClaim(Collection<LocalQueue> wanting) {
        return next(claims, wanting, LocalQueue::claims);
    }

    private static LocalQueue next(
            FairOrder order, Collection<LocalQueue> wanting, Function<LocalQueue, FairOrder.Account> account) {
        FairOrder.Account next = order.next(wanting.stream().map(account).toList());
        return wanting.stream()
                .filter(queue -> account.apply(queue) == next)
                .findFirst()
                .orElseThrow();
    }

    /** Whether this queue has the executor to itself and no limit of its own. */
    private boolean isOnlyFor(LocalQueue queue) {
        return queues.size() == 1 && queue.limit() == null;
    }

    /**
     * Starts waiting jobs while permits last. May be called on any thread.
     *
     * @param queue one that may have waiting jobs, or has just got a permit back
     * @param start starts a job whose permits are taken, or gives the permits back
     */
    void handOver(LocalQueue queue, Starter start) {
        if (isOnlyFor(queue)) {
            handOverOnly(queue, start);
        }
        // ask again: a queue may have been added while this thread held a permit for a moment, and found none free
        if (!isOnlyFor(queue)) {
            handOverInTurn(start);
        }
    }

    private void handOverOnly(LocalQueue queue, Starter start) {
        while (!queue.waiting().isEmpty() && pool.permits().tryTake()) {
            take(queue, start);
        }
    }

    /** One thread at a time: two could take permits that the other needs, and both would give up. */
    private void handOverInTurn(Starter start) {
        if (requests.getAndIncrement() != 0) {
            return;
        }
        boolean done = false;
        try {
            int answered;
            do {
                answered = requests.get();
                for (LocalQueue next; (next = takeForNext()) != null; ) {
                    take(next, start);
                }
            } while (requests.addAndGet(-answered) != 0);
            done = true;
        } finally {
            if (!done) {
                // an error is being thrown: the next thread that ends a job hands over
                requests.set(0);
            }
        }
    }

    /** The next queue, with both permits taken; null if there is no permit, or no queue can use one. */
    private @Nullable LocalQueue takeForNext() {
        if (!pool.permits().tryTake()) {
            return null;
        }
        LocalQueue next = null;
        try {
            next = nextToStart();
            return next;
        } finally {
            if (next == null) {
                pool.permits().giveBack();
            }
        }
    }

    /** Starts the next job of a queue. The permits of the executor and of the queue are taken. */
    private void take(LocalQueue queue, Starter start) {
        AttemptTask next = queue.waiting().poll();
        if (next == null || !next.takePermits()) {
            giveBack(queue);
        } else {
            start.start(next);
        }
    }

    /** The next queue, with a permit of its own taken; null if no queue can start a job. */
    private @Nullable LocalQueue nextToStart() {
        List<LocalQueue> able = new ArrayList<>();
        for (LocalQueue queue : queues) {
            if (!queue.waiting().isEmpty() && queue.mayStart()) {
                able.add(queue);
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
     * Takes the permits for one job of a queue, if both are free. After a failure the caller must {@linkplain #handOver
     * hand over}, because another thread may have missed the permit that was held for a moment.
     */
    boolean tryTake(LocalQueue queue) {
        if (!pool.permits().tryTake()) {
            return false;
        }
        boolean own = queue.tryTakeOwn();
        if (!own) {
            pool.permits().giveBack();
        }
        return own;
    }

    /** Gives back the permits of a job. */
    void giveBack(LocalQueue queue) {
        queue.giveBackOwn();
        pool.permits().giveBack();
    }

    /** Starts a job whose permits are taken. */
    interface Starter {
        void start(AttemptTask task);
    }
}
