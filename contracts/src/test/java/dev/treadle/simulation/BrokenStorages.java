package dev.treadle.simulation;

import dev.treadle.job.JobId;
import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;
import dev.treadle.job.OperatorAct;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.AttemptEnd;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Lifecycle;
import dev.treadle.lifecycle.RetentionSettings;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.Transition;
import dev.treadle.lifecycle.Trigger;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.RunStorage;
import dev.treadle.storage.StorageProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Storages with one mistake each, like those that a careless statement would make. */
final class BrokenStorages {
    private BrokenStorages() {}

    /** Writes endings although another node may hold the lease now: no token in the condition. */
    static final class IgnoresTokens extends ForwardingStorage {
        IgnoresTokens(StorageProvider inner) {
            super(inner);
        }

        private final Set<NodeId> nodes = new HashSet<>();

        @Override
        public void heartbeat(NodeInfo node) {
            nodes.add(node.id());
            inner.heartbeat(node);
        }

        @Override
        public List<WriteResult> record(List<Transition> endings) {
            List<Lease> held = nodes.stream()
                    .flatMap(node -> inner.leasesOf(node).stream())
                    .toList();
            return inner.record(endings.stream()
                    .map(ending -> underWhatIsHeld(ending, held))
                    .toList());
        }

        private static Transition underWhatIsHeld(Transition ending, List<Lease> held) {
            return held.stream()
                    .filter(lease ->
                            lease.job().id().equals(ending.lease().job().id()))
                    .findFirst()
                    .map(lease -> under(lease, ending))
                    .orElse(ending);
        }

        private static Transition under(Lease lease, Transition ending) {
            return switch (ending.trigger()) {
                case SUCCEED, FAIL, RETRY -> Lifecycle.end(lease, ending.trigger(), ending.details(), ending.delay());
                default -> ending;
            };
        }
    }

    /** Acknowledges an insert and then does not commit it, so that some jobs are lost. */
    static final class Forgets extends ForwardingStorage {
        private int inserts;

        Forgets(StorageProvider inner) {
            super(inner);
        }

        @Override
        public Set<JobId> insert(List<NewJob> jobs, @Nullable OperatorAct act) {
            return ++inserts % 7 == 0 ? inner.insert(jobs.subList(1, jobs.size()), act) : inner.insert(jobs, act);
        }
    }

    /** Leases a job but leaves it in the queue. */
    static final class LeavesClaimable extends ForwardingStorage {
        LeavesClaimable(StorageProvider inner) {
            super(inner);
        }

        @Override
        public List<Lease> claim(NodeId node, Lane lane, int max) {
            List<Lease> taken = inner.claim(node, lane, max);
            if (taken.size() > 1) {
                inner.record(List.of(AttemptEnd.givenBack(taken.get(0))));
            }
            return taken;
        }
    }

    /** Claims from any lane when the requested one is empty: no lane in the condition. */
    static final class IgnoresLanes extends ForwardingStorage {
        IgnoresLanes(StorageProvider inner) {
            super(inner);
        }

        @Override
        public List<Lease> claim(NodeId node, Lane lane, int max) {
            List<Lease> taken = inner.claim(node, lane, max);
            return taken.isEmpty() && !inner.heads().isEmpty()
                    ? inner.claim(node, inner.heads().get(0).lane(), max)
                    : taken;
        }
    }

    /** Reads candidates without locking them, so that two nodes get the same jobs. */
    static final class GivesTwice extends ForwardingStorage {
        private List<Lease> before = List.of();

        GivesTwice(StorageProvider inner) {
            super(inner);
        }

        @Override
        public List<Lease> claim(NodeId node, Lane lane, int max) {
            List<Lease> taken = new ArrayList<>(inner.claim(node, lane, max));
            if (taken.size() < max && !before.isEmpty() && !before.get(0).node().equals(node)) {
                taken.add(before.get(0));
            }
            before = taken.isEmpty() ? before : List.copyOf(taken);
            return taken;
        }
    }

    /** Makes succeeded jobs due again. */
    static final class Revives extends ForwardingStorage {
        private final Set<JobId> succeeded = new HashSet<>();

        Revives(StorageProvider inner) {
            super(inner);
        }

        @Override
        public List<WriteResult> record(List<Transition> endings) {
            endings.stream()
                    .filter(ending -> ending.trigger() == Trigger.SUCCEED)
                    .forEach(ending -> succeeded.add(ending.lease().job().id()));
            return inner.record(endings);
        }

        @Override
        public List<Lease> claim(NodeId node, Lane lane, int max) {
            succeeded.stream()
                    .filter(id -> inner.queries().states(List.of(id)).get(id) == StateName.SUCCEEDED)
                    .forEach(id -> inner.runAgain(id, new OperatorNote("a broken storage", null)));
            succeeded.clear();
            return inner.claim(node, lane, max);
        }
    }

    /** Treats a job as ended because it has not changed for a long time. */
    static final class DeletesWhatWaits extends ForwardingStorage {
        private static final RetentionSettings ALL = RetentionSettings.DEFAULT.withUsual(RetentionSettings.Ages.FOR_EVER
                .withSucceeded(Duration.ZERO)
                .withFailed(Duration.ZERO)
                .withCancelled(Duration.ZERO));

        DeletesWhatWaits(StorageProvider inner) {
            super(inner);
        }

        @Override
        public RetentionStep deleteEnded(NodeId node, RetentionSettings settings, int max) {
            for (Lease lease : inner.leasesOf(node)) {
                inner.cancel(lease.job().id(), new OperatorNote("a broken storage", null));
            }
            return inner.deleteEnded(node, settings.shortest() == null ? settings : ALL, max);
        }
    }

    /** Answers that a step is recorded before it is, and then it is not. */
    static final class ForgetsSteps extends ForwardingStorage {
        ForgetsSteps(StorageProvider inner) {
            super(inner);
        }

        @Override
        public RunStorage runs() {
            return new ForwardingRuns(inner.runs(), this::call) {
                @Override
                public StepAnswer recordStep(RunId run, NewStep step) {
                    return new StepAnswer.Recorded();
                }
            };
        }
    }
}
