package dev.treadle.outcome;

import dev.treadle.job.Failure;
import dev.treadle.job.RunNotes;
import dev.treadle.job.RunNotes.LogLine;
import dev.treadle.lifecycle.RunId;
import dev.treadle.storage.NotesUpdate;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What one run has told, and how much of it is written down. Thread-safe. */
public final class RunNotesBuffer {
    private final RunId run;
    private final InstantSource time;
    private final NotesFlusher notebooks;
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by {@link #lock}, as is all below. */
    private final Map<String, String> meta = new LinkedHashMap<>();

    private final List<LogLine> unwritten = new ArrayList<>();
    private @Nullable Long done;
    private @Nullable Long total;
    private int lines;
    private int chars;
    private int leftOut;
    private boolean dirty;
    private boolean closed;

    RunNotesBuffer(RunId run, InstantSource time, NotesFlusher notebooks) {
        this.run = run;
        this.time = time;
        this.notebooks = notebooks;
    }

    /** See {@link dev.treadle.job.JobContext#progress}. */
    public void progress(long done, long total) {
        if (done < 0 || total < 0) {
            throw new IllegalArgumentException(
                    "progress(" + done + ", " + total + "): both must be 0 or more; a total of 0 means not known.");
        }
        change(() -> {
            this.done = done;
            this.total = total;
        });
    }

    /** See {@link dev.treadle.job.JobContext#log}. */
    public void log(String text) {
        String line = storable(text);
        change(() -> {
            if (lines == RunNotes.LOG_LINES_MAX - 1 || chars + line.length() > RunNotes.LOG_CHARS_MAX) {
                leftOut++;
                return;
            }
            chars += line.length();
            unwritten.add(new LogLine(lines++, time.instant(), line));
        });
    }

    /** See {@link dev.treadle.job.JobContext#meta}. */
    public void meta(String key, String value) {
        if (key.isBlank() || key.length() > RunNotes.META_KEY_CHARS_MAX) {
            throw new IllegalArgumentException("The key '" + key + "' must have 1 to " + RunNotes.META_KEY_CHARS_MAX
                    + " characters and not be blank.");
        }
        String word = storable(value);
        change(() -> {
            if (!meta.containsKey(key) && meta.size() == RunNotes.META_KEYS_MAX) {
                throw new IllegalArgumentException("A job may say something under " + RunNotes.META_KEYS_MAX
                        + " keys in one attempt, and '" + key + "' is one more.");
            }
            meta.put(storable(key), word);
        });
    }

    /** The run has ended: what it told is written before its ending is. Nothing it tells after that is kept. */
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            if (leftOut > 0) {
                unwritten.add(new LogLine(
                        lines++,
                        time.instant(),
                        "(" + leftOut + " more lines were left out: an attempt may keep " + RunNotes.LOG_LINES_MAX
                                + " lines and " + RunNotes.LOG_CHARS_MAX + " characters)"));
                markDirty();
            }
            // also if nothing is unwritten: what was taken a moment ago may still be under way to the storage
            notebooks.closed();
        } finally {
            lock.unlock();
        }
    }

    private void change(Runnable change) {
        lock.lock();
        try {
            if (!closed) {
                change.run();
                markDirty();
            }
        } finally {
            lock.unlock();
        }
    }

    private void markDirty() {
        if (!dirty) {
            dirty = true;
            notebooks.dirty(this);
        }
    }

    /** What is not written yet; from now on it counts as written. */
    NotesUpdate take() {
        lock.lock();
        try {
            dirty = false;
            RunNotes notes = new RunNotes(time.instant(), done, total, meta, unwritten);
            unwritten.clear();
            return new NotesUpdate(run, notes);
        } finally {
            lock.unlock();
        }
    }

    /** It was not written after all. */
    void putBack(NotesUpdate told) {
        lock.lock();
        try {
            unwritten.addAll(0, told.notes().log());
            markDirty();
        } finally {
            lock.unlock();
        }
    }

    private static String storable(String text) {
        return Failure.because("", text).message();
    }
}
