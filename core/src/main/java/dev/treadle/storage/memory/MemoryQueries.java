package dev.treadle.storage.memory;

import dev.treadle.job.Job;
import dev.treadle.job.JobId;
import dev.treadle.job.JobStory;
import dev.treadle.job.StateName;
import dev.treadle.storage.JobQueries;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What people ask, answered from memory. */
final class MemoryQueries implements JobQueries {
    private final MemoryTables tables;
    private final ReentrantLock lock;

    MemoryQueries(MemoryTables tables, ReentrantLock lock) {
        this.tables = tables;
        this.lock = lock;
    }

    @Override
    public Optional<JobStory> find(JobId id) {
        lock.lock();
        try {
            return tables.stories.story(id);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Map<JobId, StateName> states(Collection<JobId> ids) {
        lock.lock();
        try {
            Map<JobId, StateName> states = new HashMap<>();
            ids.forEach(id -> tables.state(id).ifPresent(state -> states.put(id, state.name())));
            return states;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public List<JobId> labelled(String label, @Nullable JobId before, int max) {
        lock.lock();
        try {
            return tables.all().stream()
                    .filter(job -> job.traits().labels().contains(label))
                    .map(Job::id)
                    .filter(id -> before == null || id.compareTo(before) < 0)
                    .sorted(Comparator.reverseOrder())
                    .limit(max)
                    .toList();
        } finally {
            lock.unlock();
        }
    }
}
