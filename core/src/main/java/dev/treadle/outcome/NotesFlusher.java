package dev.treadle.outcome;

import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RunId;
import dev.treadle.storage.NotesUpdate;
import dev.treadle.storage.RunStorage;
import dev.treadle.storage.StorageException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down what running jobs tell, behind their backs and in batches, and before the endings of those that have
 * ended. Jobs that tell nothing cost nothing. One loop takes turns, the recording threads come by; thread-safe.
 */
public final class NotesFlusher {
    /** How long to rest between two writes, in milliseconds. */
    static final long WRITE_EVERY_MILLIS = 500;
    /** A safety net only: the first thing told nudges. */
    private static final Duration UNTIL_NUDGED = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(NotesFlusher.class);

    private final RunStorage storage;
    private final InstantSource time;
    private final Runnable nudge;
    private final ConcurrentLinkedQueue<RunNotesBuffer> dirty = new ConcurrentLinkedQueue<>();
    private final ReentrantLock writing = new ReentrantLock();
    /** Whether a run with unwritten notes has ended since the last write. */
    private volatile boolean anyClosed;

    private volatile Instant lastWrite;

    /** @param nudge ends the rest of the loop that takes turns */
    public NotesFlusher(RunStorage storage, InstantSource time, Runnable nudge) {
        this.storage = storage;
        this.time = time;
        this.nudge = nudge;
        this.lastWrite = time.instant().minusMillis(WRITE_EVERY_MILLIS);
    }

    /** For one run that wants to tell something. */
    public RunNotesBuffer of(Lease lease) {
        return new RunNotesBuffer(RunId.of(lease), time, this);
    }

    void dirty(RunNotesBuffer notebook) {
        dirty.add(notebook);
        nudge.run();
    }

    void closed() {
        anyClosed = true;
    }

    /** Writes what has gathered, if the last write is long enough ago. */
    public Duration turn() {
        if (dirty.isEmpty()) {
            return UNTIL_NUDGED;
        }
        long since = Duration.between(lastWrite, time.instant()).toMillis();
        if (since >= 0 && since < WRITE_EVERY_MILLIS) {
            return Duration.ofMillis(WRITE_EVERY_MILLIS - since);
        }
        write();
        return dirty.isEmpty() ? UNTIL_NUDGED : Duration.ofMillis(WRITE_EVERY_MILLIS);
    }

    /** Writes what those have told that have ended, before their endings are written. */
    public void writeOfEnded() {
        // why not the first alone: another thread may be writing notes right now that this ending must follow
        if (anyClosed || writing.isLocked()) {
            writing.lock();
            try {
                writeIfAnyClosed();
            } finally {
                writing.unlock();
            }
        }
    }

    private void writeIfAnyClosed() {
        if (anyClosed) {
            // under the lock, so that a thread that finds it unset finds the lock held
            anyClosed = false;
            boolean written = false;
            try {
                write();
                written = true;
            } finally {
                anyClosed |= !written;
            }
        }
    }

    private void write() {
        writing.lock();
        try {
            while (!dirty.isEmpty()) {
                writeBatch();
            }
            lastWrite = time.instant();
        } finally {
            writing.unlock();
        }
    }

    private void writeBatch() {
        Map<RunNotesBuffer, NotesUpdate> batch = new IdentityHashMap<>();
        for (RunNotesBuffer next; batch.size() < RunStorage.RUNS_MAX && (next = dirty.poll()) != null; ) {
            if (batch.containsKey(next)) {
                // there are new notes by now: they are for the next batch
                dirty.add(next);
                break;
            }
            batch.put(next, next.take());
        }
        List<NotesUpdate> told = new ArrayList<>(batch.values());
        // in the order of their ids, so that two nodes never wait for each other crosswise
        told.sort(Comparator.comparing(one -> one.run().job()));
        boolean settled = false;
        try {
            tell(told);
            settled = true;
        } finally {
            if (!settled) {
                batch.forEach(RunNotesBuffer::putBack);
            }
        }
    }

    /** All at once, or one by one if that cannot be stored: what is wrong with one job's notes costs no other its own. */
    private void tell(List<NotesUpdate> told) {
        try {
            storage.tell(told);
        } catch (StorageException e) {
            if (e.isWorthRepeating()) {
                throw e;
            }
            if (told.size() > 1) {
                told.forEach(one -> tell(List.of(one)));
            } else {
                // why dropped: a job's notes must never keep its ending from being written
                LOG.error(
                        "Progress, metadata or log lines of job {} cannot be stored and are left out.",
                        told.get(0).run().job(),
                        e);
            }
        }
    }
}
