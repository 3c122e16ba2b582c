package dev.treadle.storage.memory;

import dev.treadle.job.EnqueueResult;
import dev.treadle.job.EnqueueResult.Answer;
import dev.treadle.job.JobId;
import dev.treadle.job.JobState;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.UniqueTerms;
import dev.treadle.lifecycle.UniqueTerms.Asked;
import dev.treadle.storage.NewJob;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Who holds which name, in memory. Guarded by the lock of its storage. */
final class MemoryUnique {
    /** Most names that are looked at in one go. */
    private static final int CHUNK = 500;

    private final MemoryTables tables;
    private final InstantSource time;
    private final TreeMap<String, Held> names = new TreeMap<>();

    MemoryUnique(MemoryTables tables, InstantSource time) {
        this.tables = tables;
        this.time = time;
    }

    EnqueueResult insert(NewJob job, Asked asked) {
        Instant now = time.instant();
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

    /** Forgets names whose job blocks no other job; the last one looked at, or null at the end. */
    @Nullable
    String forget(String after) {
        Instant now = time.instant();
        NavigableMap<String, Held> left = names.tailMap(after, false);
        List<String> chunk = left.keySet().stream().limit(CHUNK).toList();
        for (String name : chunk) {
            Held held = names.get(name);
            if (held.terms.areOver(state(held.job), now)) {
                names.remove(name);
            }
        }
        return chunk.size() < CHUNK ? null : chunk.get(chunk.size() - 1);
    }

    private record Held(JobId job, UniqueTerms terms) {}
}
