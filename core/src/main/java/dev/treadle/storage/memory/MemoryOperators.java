package dev.treadle.storage.memory;

import dev.treadle.job.OperatorAct;
import dev.treadle.storage.admin.Operators;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What people did, kept in memory: the latest {@value #KEPT_MAX} rows. */
final class MemoryOperators implements Operators {
    private static final int KEPT_MAX = 10_000;

    private final ReentrantLock lock;
    private final InstantSource time;
    /** Latest first. Guarded by {@link #lock}. */
    private final Deque<Done> audit = new ArrayDeque<>();
    /** Guarded by {@link #lock}. */
    private long lastNumber;

    MemoryOperators(ReentrantLock lock, InstantSource time) {
        this.lock = lock;
        this.time = time;
    }

    @Override
    public void note(OperatorAct act, int jobs) {
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

    private void add(OperatorAct act, int jobs) {
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
