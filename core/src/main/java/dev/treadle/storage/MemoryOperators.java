package dev.treadle.storage;

import dev.treadle.job.Job;
import dev.treadle.job.JobId;
import dev.treadle.job.JobState;
import dev.treadle.job.StateName;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What people did, kept in memory: the latest {@value #KEPT_MAX} rows. */
final class MemoryOperators implements Operators {
    private static final int KEPT_MAX = 10_000;

    private final MemoryTables tables;
    private final ReentrantLock lock;
    private final InstantSource time;
    /** Latest first. Guarded by {@link #lock}. */
    private final Deque<Done> audit = new ArrayDeque<>();
    /** Guarded by {@link #lock}. */
    private long lastNumber;

    MemoryOperators(MemoryTables tables, ReentrantLock lock, InstantSource time) {
        this.tables = tables;
        this.lock = lock;
        this.time = time;
    }

    @Override
    public List<WriteResult> act(Act act, List<JobId> ids) {
        Action action = Action.valueOf(act.action());
        lock.lock();
        try {
            List<WriteResult> results =
                    ids.stream().map(id -> moved(action, id, act.move())).toList();
            add(act, (int) results.stream()
                    .filter(WriteResult.Written.class::isInstance)
                    .count());
            return results;
        } finally {
            lock.unlock();
        }
    }

    private WriteResult moved(Action action, JobId id, OperatorNote move) {
        return switch (action) {
            case RUN_AGAIN -> tables.runAgain(id, move);
            case RUN_NOW -> runNow(id);
            case CANCEL -> tables.cancel(id, move);
            case DELETE -> delete(id);
        };
    }

    private WriteResult runNow(JobId id) {
        Job job = find(id);
        if (job == null) {
            return WriteResult.MISSING;
        }
        if (job.state().name() != StateName.SCHEDULED) {
            return new WriteResult.Stale(job.state().name());
        }
        tables.leave(id);
        Instant now = time.instant();
        Job waits = tables.move(job, new JobState.Enqueued(now), job.attempt());
        if (tables.keys.has(id)) {
            tables.keys.leave(job, now);
            tables.keys.join(waits, now);
        } else {
            // without a key, or with the slot that it has kept
            tables.enqueue(waits, now);
        }
        return WriteResult.WRITTEN;
    }

    private WriteResult delete(JobId id) {
        Job job = find(id);
        if (job == null) {
            return WriteResult.MISSING;
        }
        if (job.state().name() == StateName.PROCESSING) {
            return new WriteResult.Stale(StateName.PROCESSING);
        }
        tables.leave(id);
        if (!job.state().name().isFinal()) {
            tables.end(job, time.instant());
        }
        tables.jobs.remove(id);
        tables.history.delete(id);
        tables.runs.delete(id);
        return WriteResult.WRITTEN;
    }

    private @Nullable Job find(JobId id) {
        return tables.jobs.get(id);
    }

    @Override
    public void insert(Act act, NewJob job) {
        lock.lock();
        try {
            tables.insert(List.of(job));
            add(act, 1);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void note(Act act, int jobs) {
        lock.lock();
        try {
            add(act, jobs);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public List<Done> audit(@Nullable Long before, int max) {
        lock.lock();
        try {
            return audit.stream()
                    .filter(done -> before == null || done.number() < before)
                    .limit(max)
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    private void add(Act act, int jobs) {
        audit.addFirst(new Done(
                ++lastNumber,
                time.instant(),
                act.move().by(),
                act.action(),
                act.target(),
                act.move().why(),
                jobs));
        if (audit.size() > KEPT_MAX) {
            audit.removeLast();
        }
    }
}
