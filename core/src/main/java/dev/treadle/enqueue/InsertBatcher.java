package dev.treadle.enqueue;

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
 * Puts enqueues that come in at the same time into one commit. A caller that comes while none is under way commits at once.
 * Callers that come during a commit wait, and one of them commits for all of them. There is no timer and no thread: one
 * caller alone waits for its own commit only, a thousand share a few. Each returns after the commit that holds its job.
 */
final class InsertBatcher {
    /** How often a thread tries to keep jobs while it is interrupted again and again. */
    static final int TRIES_MAX = 5;

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
            commit(mine);
        }
        mine.rethrow();
    }

    /** Commits for all who have gathered, the calling thread among them, and hands on to the next. */
    private void commit(Waiting mine) {
        List<Waiting> batch = List.of();
        try {
            batch = gather(mine);
            insertUninterrupted(batch);
        } finally {
            handOn();
            for (int i = 0; i < batch.size(); i++) {
                batch.get(i).goOn(Turn.DONE);
            }
        }
    }

    private List<Waiting> gather(Waiting mine) {
        boolean done = false;
        lock.lock();
        try {
            // before a caller is taken from the queue, since there may be no memory for it
            List<Waiting> batch = new ArrayList<>(Math.min(gathered.size(), StorageProvider.BATCH_MAX));
            while (batch.size() < StorageProvider.BATCH_MAX && !gathered.isEmpty()) {
                batch.add(gathered.remove());
            }
            done = true;
            return batch;
        } finally {
            if (!done) {
                gathered.remove(mine);
            }
            lock.unlock();
        }
    }

    /**
     * An interrupt of this thread is meant for its own caller, not for those whose jobs it keeps; on a virtual thread it
     * closes the connection under them. So it is put off until they are kept, and what it has cut off is done again.
     */
    private void insertUninterrupted(List<Waiting> batch) {
        boolean interrupted = Thread.interrupted();
        try {
            insert(batch);
            for (int tries = 1; tries < TRIES_MAX && Thread.interrupted(); tries++) {
                interrupted = true;
                List<Waiting> failed =
                        batch.stream().filter(waiting -> !waiting.kept).toList();
                if (failed.isEmpty()) {
                    return;
                }
                insert(failed);
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void insert(List<Waiting> batch) {
        try {
            List<NewJob> jobs = new ArrayList<>(batch.size());
            batch.forEach(waiting -> jobs.add(waiting.job));
            insert.apply(jobs);
            for (int i = 0; i < batch.size(); i++) {
                batch.get(i).kept = true;
            }
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
        lockWhateverItTakes();
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

    /** Waiting for a lock takes memory, and all others would wait for ever if this thread gave up. */
    private void lockWhateverItTakes() {
        while (true) {
            try {
                lock.lock();
                return;
            } catch (OutOfMemoryError e) {
                Thread.onSpinWait();
            }
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
        /** Set by nothing but a commit: whatever else happens, the caller must not believe that its job is there. */
        private volatile boolean kept;

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
            if (kept) {
                return;
            }
            Throwable thrown = failure;
            if (thrown instanceof StorageException e) {
                // of its own, since several threads throw it
                throw new StorageException(String.valueOf(e.getMessage()), e, e.isWorthRepeating());
            }
            throw new StorageException(
                    "The storage could not keep the job: " + (thrown == null ? "there was no memory for it" : thrown),
                    thrown,
                    false);
        }
    }
}
