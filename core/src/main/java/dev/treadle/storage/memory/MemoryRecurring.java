package dev.treadle.storage.memory;

import dev.treadle.job.JobId;
import dev.treadle.job.JobState;
import dev.treadle.job.OperatorAct;
import dev.treadle.lifecycle.RecurringJob;
import dev.treadle.lifecycle.RecurringJob.Progress;
import dev.treadle.lifecycle.RecurringJob.Status;
import dev.treadle.schedule.Overlap;
import dev.treadle.storage.RecurringStorage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Recurring jobs in memory, under the lock of the storage whose jobs they make. */
final class MemoryRecurring implements RecurringStorage {
    private final MemoryTables tables;
    private final MemoryOperators operators;
    private final InstantSource time;
    private final ReentrantLock lock;
    /** Guarded by {@link #lock}. */
    private final TreeMap<String, RecurringJob> all = new TreeMap<>();

    MemoryRecurring(MemoryTables tables, MemoryOperators operators, InstantSource time, ReentrantLock lock) {
        this.operators = operators;
        this.tables = tables;
        this.time = time;
        this.lock = lock;
    }

    @Override
    public List<RecurringJob> list(String from, int max) {
        return locked(() -> all.tailMap(from, true).values().stream().limit(max).toList());
    }

    @Override
    public boolean write(RecurringJob job, @Nullable OperatorAct act) {
        return locked(() -> {
            RecurringJob found = all.get(job.id());
            boolean asSeen = (found == null ? 0 : found.version()) == job.version();
            if (asSeen) {
                all.put(job.id(), job.withVersion(job.version() + 1));
                if (act != null) {
                    operators.note(act, 0);
                }
            }
            return asSeen;
        });
    }

    /** Whether one waits for the end of a job. */
    boolean awaits() {
        return locked(() -> active().anyMatch(job -> job.progress().awaited() != null));
    }

    @Override
    public DueNow due(int max) {
        return locked(() -> {
            Instant now = time.instant();
            List<Found> found = new ArrayList<>();
            active().filter(job -> job.progress().awaited() == null && isDue(job, now))
                    .sorted(Comparator.comparing(MemoryRecurring::next))
                    .limit(max)
                    .forEach(job -> found.add(new Found(job, ended(job, now))));
            active().filter(job -> job.progress().awaited() != null && ended(job, now) != null)
                    .limit(max)
                    .forEach(job -> found.add(new Found(job, ended(job, now))));
            Duration untilNext = active().filter(job ->
                            job.progress().awaited() == null && job.progress().next() != null && !isDue(job, now))
                    .map(job -> Duration.between(now, next(job)))
                    .min(Comparator.naturalOrder())
                    .orElse(null);
            return new DueNow(List.copyOf(found), now, untilNext);
        });
    }

    private java.util.stream.Stream<RecurringJob> active() {
        return all.values().stream().filter(job -> job.standing().status() == Status.ACTIVE);
    }

    private static Instant next(RecurringJob job) {
        return Objects.requireNonNull(job.progress().next());
    }

    private static boolean isDue(RecurringJob job, Instant now) {
        return job.progress().next() != null && !next(job).isAfter(allows(job) ? now.plus(AHEAD) : now);
    }

    private static boolean allows(RecurringJob job) {
        return job.plan().rules().overlap() == Overlap.ALLOW;
    }

    private @Nullable Instant ended(RecurringJob job, Instant now) {
        Progress progress = job.progress();
        JobId last = progress.job();
        if (last == null || progress.awaited() == null && allows(job)) {
            return null;
        }
        JobState state = tables.state(last).orElse(null);
        return state == null ? now : state.name().isFinal() ? state.since() : null;
    }

    @Override
    public Set<String> advance(List<Advance> advances) {
        return locked(() -> {
            Set<String> moved = new HashSet<>();
            for (Advance advance : advances) {
                RecurringJob seen = advance.seen();
                RecurringJob found = all.get(seen.id());
                if (found != null && found.version() == seen.version()) {
                    all.put(seen.id(), found.with(advance.progress()).withVersion(found.version() + 1));
                    tables.insert(advance.jobs());
                    moved.add(seen.id());
                }
            }
            return moved;
        });
    }

    private <T> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }
}
