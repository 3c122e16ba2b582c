package dev.treadle.contracts.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.treadle.job.GateId;
import dev.treadle.job.JobId;
import dev.treadle.job.JoinRule;
import dev.treadle.job.NodeId;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Gate;
import dev.treadle.lifecycle.JobAction;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RunId;
import dev.treadle.storage.GateStorage;
import dev.treadle.storage.GateStorage.Answer;
import dev.treadle.storage.GateStorage.Opening;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.admin.JobSearch.GateSeen;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;

/** Words for contracts on gates. */
abstract class GateWords extends StorageContract {
    static final OperatorNote ANNA = new OperatorNote("anna", "a test");
    static final int ROUNDS_MAX = 1_000;

    final Map<JobId, Lease> taken = new HashMap<>();

    /** Claims one of several jobs that may be claimed; the others are kept for later. */
    final Lease take(NodeId node, JobId id) {
        Lease held = taken.remove(id);
        for (int tries = 0; held == null && tries < ROUNDS_MAX; tries++) {
            storage.claim(node, FULL).forEach(lease -> taken.put(lease.job().id(), lease));
            held = taken.remove(id);
        }
        return Objects.requireNonNull(held, "it cannot be claimed");
    }

    final GateStorage gates() {
        return storage.runs().gates();
    }

    static Gate written(Answer answer) {
        return assertInstanceOf(Answer.Written.class, answer).gate();
    }

    final void spawn(Lease parent, String name, int count) {
        for (int from = 0; from < count; from += FULL) {
            int some = Math.min(FULL, count - from);
            written(gates().spawn(
                            RunId.of(parent), name, from, children(parent, name, from, some), from + some == count));
        }
    }

    final List<NewJob> children(Lease parent, String name, long from, int count) {
        GateId gate = GateId.of(parent.job().id(), name);
        return LongStream.range(from, from + count)
                .mapToObj(i -> {
                    NewJob job = jobs.anEnqueuedJob();
                    return new NewJob(
                            gate.child(i),
                            job.invocation(),
                            job.due(),
                            job.traits().withGate(gate));
                })
                .toList();
    }

    static JobId child(Lease parent, String name, long ordinal) {
        return GateId.of(parent.job().id(), name).child(ordinal);
    }

    final Gate gate(Lease parent, String name) {
        return gates().find(GateId.of(parent.job().id(), name)).orElseThrow();
    }

    /** The gates of a job, as people see them. */
    final List<GateSeen> seen(Lease waiter) {
        return storage.search().gates(List.of(waiter.job().id()), 0, FULL);
    }

    final void suspend(Lease parent, String name, JoinRule rule) {
        written(gates().await(RunId.of(parent), name, rule));
        assertWritten(Endings.suspended(parent));
    }

    final void suspendWithoutGate(Lease lease) {
        assertWritten(Endings.suspended(lease));
    }

    /** Looks until there is nothing to look at, and gives how many jobs went on. */
    final int open() {
        int resumed = 0;
        for (int round = 0; round < ROUNDS_MAX; round++) {
            Opening opening = gates().open(FULL);
            resumed += opening.resumed();
            if (!opening.more() && !storage.outlook(NODE).gates()) {
                return resumed;
            }
        }
        throw new AssertionError("there is always more to look at");
    }

    final StateName state(Lease lease) {
        return state(lease.job().id());
    }

    final StateName state(JobId id) {
        return storage.queries().states(List.of(id)).get(id);
    }

    final void delete(JobId id) {
        assertEquals(List.of(WriteResult.WRITTEN), storage.act(JobAction.DELETE, ANNA, List.of(id), null));
    }
}
