package dev.treadle.storage.memory;

import dev.treadle.job.EnqueueResult;
import dev.treadle.job.EnqueueResult.Answer;
import dev.treadle.job.JobId;
import dev.treadle.job.JobState;
import dev.treadle.job.StateName;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.UniqueJobs;
import dev.treadle.storage.UniqueTerms;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Who holds which name, in memory. */
final class MemoryUnique implements UniqueJobs {
    private final MemoryTables tables;
    private final InstantSource time;
    private final ReentrantLock lock;
    /** Guarded by {@link #lock}. */
    private final TreeMap<String, Held> names = new TreeMap<>();

    MemoryUnique(MemoryTables tables, InstantSource time, ReentrantLock lock) {
        this.tables = tables;
        this.time = time;
        this.lock = lock;
    }

    @Override
    public EnqueueResult insert(NewJob job, Asked asked) {
        lock.lock();
        try {
            return locked(job, asked, time.instant());
        } finally {
            lock.unlock();
        }
    }

    private EnqueueResult locked(NewJob job, Asked asked, Instant now) {
        if (tables.state(job.id()).isPresent()) {
            return new EnqueueResult(Answer.ENQUEUED, job.id());
        }
        Held held = names.get(asked.name());
        if (held != null && held.terms.hold(state(held.job), now)) {
            Answer kind = UniqueTerms.conflict(asked.onConflict(), state(held.job));
            if (kind == Answer.REPLACED) {
                tables.replace(held.job, job);
                names.put(asked.name(), new Held(held.job, UniqueTerms.of(asked, now)));
            }
            return new EnqueueResult(kind, held.job);
        }
        tables.insert(List.of(job));
        names.put(asked.name(), new Held(job.id(), UniqueTerms.of(asked, now)));
        return new EnqueueResult(Answer.ENQUEUED, job.id());
    }

    private @Nullable StateName state(JobId id) {
        return tables.state(id).map(JobState::name).orElse(null);
    }

    @Override
    public @Nullable String tidy(String after) {
        lock.lock();
        try {
            Instant now = time.instant();
            NavigableMap<String, Held> left = names.tailMap(after, false);
            List<String> chunk = left.keySet().stream().limit(TIDY_MAX).toList();
            for (String name : chunk) {
                Held held = names.get(name);
                if (held.terms.areOver(state(held.job), now)) {
                    names.remove(name);
                }
            }
            return chunk.size() < TIDY_MAX ? null : chunk.get(chunk.size() - 1);
        } finally {
            lock.unlock();
        }
    }

    private record Held(JobId job, UniqueTerms terms) {}
}
