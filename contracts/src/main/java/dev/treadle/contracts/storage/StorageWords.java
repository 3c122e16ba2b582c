package dev.treadle.contracts.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.treadle.job.JobId;
import dev.treadle.job.JobState;
import dev.treadle.job.NodeId;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.NodeBeat;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.admin.AdminStorage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Words in which contracts bring jobs where a test needs them, and look where they are. */
abstract class StorageWords {
    static final NodeId NODE = new NodeId(1);
    static final NodeId OTHER = new NodeId(Long.MAX_VALUE);
    /** Claims what is left when a test is over, to see whether it is what should be left. */
    static final NodeId AUDITOR = new NodeId(99);

    static final Duration HOUR = Duration.ofHours(1);
    static final int FULL = StorageProvider.BATCH_MAX;

    final Jobs jobs = new Jobs();
    /** The storage under test. */
    AdminStorage storage;

    final JobId keep(NewJob job) {
        assertEquals(Set.of(), storage.insert(List.of(job)));
        return job.id();
    }

    final JobId enqueued() {
        return keep(jobs.anEnqueuedJob());
    }

    /** Keeps a job and has it claimed by {@link #NODE}. */
    final Lease claimed() {
        return claimed(jobs.anEnqueuedJob());
    }

    final Lease claimed(NewJob job) {
        keep(job);
        return claim(NODE, job.id());
    }

    /** Keeps so many jobs and has them claimed by {@link #NODE}. */
    final List<Lease> claimed(int count) {
        storage.insert(jobs.enqueuedJobs(count));
        List<Lease> taken = storage.claim(NODE, count);
        assertEquals(count, taken.size());
        return taken;
    }

    /** A job that has come into a state in the usual way; no other job may be due until then. */
    final JobId aJobThatIs(StateName state) {
        return switch (state) {
            case SCHEDULED -> keep(jobs.aJobDueIn(Jobs.LONG));
            case ENQUEUED -> enqueued();
            case PROCESSING -> claimed().job().id();
            case SUCCEEDED -> ended(Endings.completed(claimed()));
            case FAILED -> ended(Endings.failed(claimed()));
            case WAITING -> ended(Endings.suspended(claimed()));
            case PARKED -> ended(Endings.parked(claimed()));
            case CANCELLED -> {
                JobId id = enqueued();
                assertEquals(WriteResult.WRITTEN, storage.cancel(id, new OperatorNote("a test", null)));
                yield id;
            }
        };
    }

    /** All states, the one last that leaves a job due. */
    static List<StateName> allStates() {
        List<StateName> states = new ArrayList<>(List.of(StateName.values()));
        states.remove(StateName.ENQUEUED);
        states.add(StateName.ENQUEUED);
        return states;
    }

    private JobId ended(Transition ending) {
        assertWritten(ending);
        return ending.lease().job().id();
    }

    /** Claims the only job that is due, or is soon. */
    final Lease claim(NodeId node, JobId expected) {
        Lease lease = Patience.until("job " + expected + " can be claimed", () -> {
            storage.promote(FULL);
            return storage.claim(node, 1).stream().findFirst();
        });
        assertEquals(expected, lease.job().id());
        return lease;
    }

    final WriteResult record(Transition ending) {
        List<WriteResult> answers = storage.record(List.of(ending));
        assertEquals(1, answers.size());
        return answers.get(0);
    }

    /** Writes endings down, again as long as another transaction holds the key of some. */
    final void recordAll(List<Transition> endings) {
        List<Transition> left = new ArrayList<>(endings);
        Patience.untilTrue("no key is held", () -> {
            List<WriteResult> answers = storage.record(left);
            List<Transition> busy = new ArrayList<>();
            for (int i = 0; i < answers.size(); i++) {
                if (answers.get(i) instanceof WriteResult.Busy) {
                    busy.add(left.get(i));
                }
            }
            left.clear();
            left.addAll(busy);
            return left.isEmpty();
        });
    }

    final void assertWritten(Transition ending) {
        assertEquals(WriteResult.WRITTEN, record(ending));
    }

    final void assertStale(Transition ending) {
        assertInstanceOf(WriteResult.Stale.class, record(ending));
    }

    final void beat(NodeId node) {
        storage.heartbeat(new NodeInfo(node, "host " + node, "virtual threads", 100));
    }

    /** Takes a node for dead whatever the time, as one would that has seen its last heartbeat stay the same. */
    final boolean bury(NodeId node) {
        return storage.bury(lastBeat(node));
    }

    final NodeBeat lastBeat(NodeId node) {
        return storage.beats().stream()
                .filter(beat -> beat.node().equals(node))
                .findFirst()
                .orElseThrow(() -> new AssertionError(node + " is not among those that have not gone"));
    }

    final StateName stateOf(JobId id) {
        return stateOf(id, JobState.class).name();
    }

    final <S extends JobState> S stateOf(JobId id, Class<S> kind) {
        return assertInstanceOf(kind, Stories.of(storage, id).job().state());
    }

    final void assertStates(JobId id, StateName... expected) {
        Stories.assertStates(storage, id, expected);
    }

    static List<JobId> idsOf(List<Lease> leases) {
        return leases.stream().map(lease -> lease.job().id()).toList();
    }
}
