package dev.treadle.storage.memory;

import dev.treadle.job.JobId;
import dev.treadle.job.JobStep;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RunId;
import dev.treadle.storage.StepStorage;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** The port of steps, over memory. */
final class MemorySteps implements StepStorage {
    private final MemoryTables tables;
    private final ReentrantLock lock;

    MemorySteps(MemoryTables tables, ReentrantLock lock) {
        this.tables = tables;
        this.lock = lock;
    }

    @Override
    public List<JobStep> list(JobId job, int from, int max) {
        lock.lock();
        try {
            return tables.runs.steps(job).values().stream()
                    .skip(from)
                    .limit(max)
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Answer record(RunId run, NewStep step) {
        lock.lock();
        try {
            Lease held = tables.held(run);
            if (held == null) {
                return new Answer.LeaseLost();
            }
            JobStep known = tables.runs.steps(run.job()).get(step.name());
            if (known != null) {
                return new Answer.Known(known);
            }
            tables.runs.recorded(held, step);
            return new Answer.Recorded();
        } finally {
            lock.unlock();
        }
    }
}
