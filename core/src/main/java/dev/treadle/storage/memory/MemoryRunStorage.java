package dev.treadle.storage.memory;

import dev.treadle.job.JobId;
import dev.treadle.job.JobStep;
import dev.treadle.job.NodeId;
import dev.treadle.lifecycle.Completion;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.StopRequest;
import dev.treadle.storage.GateStorage;
import dev.treadle.storage.NotesPage;
import dev.treadle.storage.NotesUpdate;
import dev.treadle.storage.RunStorage;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The port of runs, over memory. */
final class MemoryRunStorage implements RunStorage {
    private final MemoryTables tables;
    private final ReentrantLock lock;
    private final GateStorage gates;

    MemoryRunStorage(MemoryTables tables, ReentrantLock lock, InstantSource time, MemoryOperators operators) {
        this.tables = tables;
        this.lock = lock;
        this.gates = new MemoryGates(tables, lock, time, operators);
    }

    @Override
    public List<StopRequest> stopRequests(@Nullable NodeId node) {
        return locked(() -> tables.runs.stopRequests(node == null ? tables.nodes::isThere : node::equals));
    }

    @Override
    public void ended(Collection<RunId> runs) {
        locked(() -> tables.runs.ended(runs));
    }

    @Override
    public void tell(List<NotesUpdate> told) {
        locked(() -> {
            told.stream()
                    .filter(one -> tables.state(one.run().job()).isPresent())
                    .forEach(tables.runs::tell);
            return true;
        });
    }

    @Override
    public Optional<NotesPage> notes(JobId id, NotesPage.@Nullable Place after, int max) {
        return locked(() -> tables.runs.notes(id, after, max));
    }

    @Override
    public List<JobStep> steps(JobId job, int from, int max) {
        return locked(() ->
                tables.runs.steps(job).values().stream().skip(from).limit(max).toList());
    }

    @Override
    public StepAnswer recordStep(RunId run, NewStep step) {
        return locked(() -> {
            Lease held = tables.held(run);
            if (held == null) {
                return new StepAnswer.LeaseLost();
            }
            JobStep known = tables.runs.steps(run.job()).get(step.name());
            if (known != null) {
                return new StepAnswer.Known(known);
            }
            tables.runs.recorded(held, step);
            return new StepAnswer.Recorded();
        });
    }

    @Override
    public GateStorage gates() {
        return gates;
    }

    @Override
    public Map<JobId, Completion> endings(Collection<JobId> ids) {
        return locked(() -> {
            Map<JobId, Completion> endings = new HashMap<>();
            ids.forEach(id -> tables.stories.ended(id).ifPresent(ended -> endings.put(id, ended)));
            return endings;
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
