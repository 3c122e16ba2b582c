package dev.treadle.storage.memory;

import dev.treadle.job.GateId;
import dev.treadle.job.Job;
import dev.treadle.job.JobId;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.RetentionSettings;
import dev.treadle.storage.StorageProvider.RetentionStep;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;

/** Deletes jobs that ended long ago, some at a time. Guarded by the lock of its storage. */
final class MemoryRetention {
    private final Map<JobId, Job> jobs;
    private final MemoryHistory history;
    private final MemoryRuns runs;
    private final MemoryGates.Rows gates;
    /** What the present pass has not looked at yet. */
    private final Queue<JobId> unwalked = new ArrayDeque<>();

    MemoryRetention(Map<JobId, Job> jobs, MemoryHistory history, MemoryRuns runs, MemoryGates.Rows gates) {
        this.jobs = jobs;
        this.history = history;
        this.runs = runs;
        this.gates = gates;
    }

    /** Looks at some of the jobs of a pass that takes in all which were there when it began. */
    RetentionStep step(RetentionSettings settings, int max, Instant now) {
        if (unwalked.isEmpty()) {
            unwalked.addAll(jobs.keySet());
        }
        int deleted = 0;
        for (int looked = 0; looked < max && !unwalked.isEmpty(); looked++) {
            Job job = jobs.get(unwalked.remove());
            if (job != null
                    && settings.isOver(
                            job.invocation().type(),
                            job.state().name(),
                            Duration.between(job.state().since(), now))
                    && !isNeeded(job)) {
                jobs.remove(job.id());
                history.delete(job.id());
                runs.delete(job.id());
                gates.forget(job.id());
                deleted++;
            }
        }
        return new RetentionStep(true, deleted, unwalked.isEmpty());
    }

    /** Whether the job that spawned it has not ended, and may read what it returned, or another waits to run after it. */
    private boolean isNeeded(Job job) {
        for (JobId follower : gates.followers.of(job.id())) {
            Job waiting = jobs.get(follower);
            if (waiting != null && waiting.state().name() == StateName.WAITING) {
                return true;
            }
        }
        GateId gate = job.traits().gate();
        JobId waiter = gate == null ? null : gates.waiterOf(gate);
        Job parent = waiter == null ? null : jobs.get(waiter);
        return parent != null && !parent.state().name().isFinal();
    }
}
