package dev.treadle.api;

import dev.treadle.job.JobId;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.StorageProvider;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Puts enqueues that come in at the same time into one commit. Whoever comes while none is under way commits at once;
 * whoever comes meanwhile waits, and one of them commits for all who have gathered. There is no timer and no thread: one
 * caller alone waits for its own commit only, a thousand share a few. Each returns after the commit that holds its job.
 */
final class InsertBatcher {
    private final Function<List<NewJob>, Set<JobId>> insert;
    private final ReentrantLock lock = new ReentrantLock();
    /** Those who wait, the first of them to commit next. Guarded by {@link #lock}. */
    private final Queue<Waiting> gathered = new ArrayDeque<>();
    /** Whether a commit is under way. Guarded by {@link #lock}. */
    private boolean committing;

    /** @param insert keeps jobs in one commit */
    InsertBatcher(Function<List<NewJob>, Set<JobId>> insert) {
        this.insert = insert;
    }

    /**
     * Keeps one job.
     *
     * @throws StorageException if it may not have been kept
     */
    void insert(NewJob job) {
        Waiting mine = new Waiting(job, Thread.currentThread());
        lock.lock();
        try {
            gathered.add(mine);
            if (!committing) {
                committing = true;
                mine.turn = Turn.COMMIT;
            }
        } finally {
            lock.unlock();
        }
        if (mine.await() == Turn.COMMIT) {
            commit();
        }
        mine.rethrow();
    }

    /** Commits for all who have gathered, the calling thread among them, and hands on to the next. */
    private void commit() {
        List<Waiting> batch = new ArrayList<>();
        lock.lock();
        try {
            while (batch.size() < StorageProvider.BATCH_MAX && !gathered.isEmpty()) {
                batch.add(gathered.remove());
            }
        } finally {
            lock.unlock();
        }
        try {
            insert(batch);
        } finally {
            handOn();
            batch.forEach(waiting -> waiting.goOn(Turn.DONE));
        }
    }

    private void insert(List<Waiting> batch) {
        try {
            List<NewJob> jobs = new ArrayList<>(batch.size());
            batch.forEach(waiting -> jobs.add(waiting.job));
            insert.apply(jobs);
        } catch (StorageException e) {
            if (batch.size() > 1 && !e.isWorthRepeating()) {
                // one of them cannot be stored: that is no reason to refuse the others
                batch.forEach(waiting -> insert(List.of(waiting)));
            } else {
                batch.forEach(waiting -> waiting.failure = e);
            }
        } catch (RuntimeException | Error e) {
            batch.forEach(waiting -> waiting.failure = e);
        }
    }

    private void handOn() {
        Waiting next;
        lock.lock();
        try {
            next = gathered.peek();
            committing = next != null;
        } finally {
            lock.unlock();
        }
        if (next != null) {
            next.goOn(Turn.COMMIT);
        }
    }

    private enum Turn {
        WAIT,
        COMMIT,
        DONE
    }

    /** A caller and its job. */
    private static final class Waiting {
        private final NewJob job;
        private final Thread thread;
        private volatile Turn turn = Turn.WAIT;
        private volatile @Nullable Throwable failure;

        Waiting(NewJob job, Thread thread) {
            this.job = job;
            this.thread = thread;
        }

        /** Not ended by an interrupt: whether the job was kept would be unknown, and the commit is under way. */
        Turn await() {
            boolean interrupted = false;
            while (turn == Turn.WAIT) {
                LockSupport.park(this);
                interrupted |= Thread.interrupted();
            }
            if (interrupted) {
                thread.interrupt();
            }
            return turn;
        }

        void goOn(Turn turn) {
            this.turn = turn;
            if (thread != Thread.currentThread()) {
                LockSupport.unpark(thread);
            }
        }

        void rethrow() {
            Throwable thrown = failure;
            if (thrown instanceof StorageException e) {
                // of its own, since several threads throw it
                throw new StorageException(String.valueOf(e.getMessage()), e, e.isWorthRepeating());
            }
            if (thrown != null) {
                throw new StorageException("The storage could not keep the job: " + thrown, thrown, false);
            }
        }
    }
}
