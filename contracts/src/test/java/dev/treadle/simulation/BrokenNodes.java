package dev.treadle.simulation;

import dev.treadle.job.Failure;
import dev.treadle.job.Job;
import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.AttemptEnd;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Lifecycle;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.StopRequest;
import dev.treadle.lifecycle.Transition;
import dev.treadle.lifecycle.Trigger;
import dev.treadle.storage.NodeBeat;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.PendingWork;
import dev.treadle.storage.PendingWork.LaneState;
import dev.treadle.storage.RunStorage;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.StorageProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a node with one mistake in its engine would ask of its storage. */
final class BrokenNodes {
    private BrokenNodes() {}

    /** Rescued jobs go back as if they had never begun, so a poisonous one kills node after node. */
    static final class RescuesForFree extends ForwardingStorage {
        RescuesForFree(StorageProvider storage) {
            super(storage);
        }

        @Override
        public List<WriteResult> rescue(List<Transition> endings) {
            return inner.rescue(endings.stream()
                    .map(ending -> AttemptEnd.givenBack(ending.lease()))
                    .toList());
        }
    }

    /** Endings whose write failed are not kept for the next turn. */
    static final class DropsEndings extends ForwardingStorage {
        DropsEndings(StorageProvider storage) {
            super(storage);
        }

        @Override
        public List<WriteResult> record(List<Transition> endings) {
            try {
                return inner.record(endings);
            } catch (StorageException e) {
                return Collections.nCopies(endings.size(), WriteResult.WRITTEN);
            }
        }
    }

    /** Never asks what a claim without an answer leased to it. */
    static final class NeverAdopts extends ForwardingStorage {
        NeverAdopts(StorageProvider storage) {
            super(storage);
        }

        @Override
        public List<Lease> leasesOf(NodeId node, Set<RunId> known) {
            return List.of();
        }
    }

    /** Goes on claiming when its heartbeats do not arrive. */
    static final class FeelsAlive extends ForwardingStorage {
        FeelsAlive(StorageProvider storage) {
            super(storage);
        }

        @Override
        public void heartbeat(NodeInfo node) {
            try {
                inner.heartbeat(node);
            } catch (StorageException e) {
                // taken for a success
            }
        }
    }

    /** Takes others for dead between two of their heartbeats. */
    static final class Impatient extends ForwardingStorage {
        Impatient(StorageProvider storage) {
            super(storage);
        }

        @Override
        public List<NodeBeat> beats() {
            return inner.beats().stream()
                    .map(beat -> new NodeBeat(
                            beat.node(),
                            beat.mark(),
                            Objects.requireNonNull(beat.deadAfter()).dividedBy(20)))
                    .toList();
        }
    }

    /** Takes those for dead whose heartbeats are old by the clock of the storage. */
    static final class JudgesByTheClock extends ForwardingStorage {
        JudgesByTheClock(StorageProvider storage) {
            super(storage);
        }

        @Override
        public List<NodeBeat> beats() {
            List<NodeBeat> beats = inner.beats();
            Map<NodeId, Duration> silence = new HashMap<>();
            search().nodes(Duration.ZERO)
                    .forEach(seen -> silence.put(seen.node().id(), seen.beatAgo()));
            for (NodeBeat beat : beats) {
                Duration silent = silence.get(beat.node());
                if (silent != null && silent.compareTo(Objects.requireNonNull(beat.deadAfter())) > 0) {
                    inner.bury(beat);
                }
            }
            return beats;
        }
    }

    /** Starts each job it was given twice. */
    static final class StartsTwice extends ForwardingStorage {
        StartsTwice(StorageProvider storage) {
            super(storage);
        }

        private List<Lease> before = List.of();

        @Override
        public List<Lease> claim(NodeId node, Lane lane, int max) {
            List<Lease> claimed = inner.claim(node, lane, max);
            List<Lease> both = new ArrayList<>(claimed);
            // of these, a node takes in what it does not hold any more
            both.addAll(before);
            before = claimed;
            return both;
        }
    }

    /** Tries again although no attempt is left. */
    static final class NeverGivesUp extends ForwardingStorage {
        NeverGivesUp(StorageProvider storage) {
            super(storage);
        }

        @Override
        public List<WriteResult> record(List<Transition> endings) {
            return inner.record(endings.stream().map(NeverGivesUp::again).toList());
        }

        private static Transition again(Transition ending) {
            return ending.trigger() == Trigger.FAIL
                    ? Lifecycle.end(ending.lease(), Trigger.RETRY, ending.details(), Duration.ofMillis(10))
                    : ending;
        }
    }

    /** Never looks at parked jobs. */
    static final class NeverUnparks extends ForwardingStorage {
        NeverUnparks(StorageProvider storage) {
            super(storage);
        }

        @Override
        public Set<String> parkedTargets(NodeId node, Set<Lane> lanes) {
            return Set.of();
        }
    }

    /** Never looks for what has become due. */
    static final class NeverPromotes extends ForwardingStorage {
        NeverPromotes(StorageProvider storage) {
            super(storage);
        }

        @Override
        public Promotion promote(int max) {
            return new Promotion(0, null);
        }
    }

    /** Does not look whether a queue is paused. */
    static final class NeverPauses extends ForwardingStorage {
        NeverPauses(StorageProvider storage) {
            super(storage);
        }

        @Override
        public PendingWork outlook(NodeId node) {
            PendingWork seen = super.outlook(node);
            return new PendingWork(
                    seen.now(),
                    unpaused(seen.lanes()),
                    seen.heads(),
                    seen.untilDue(),
                    seen.untilSlot(),
                    seen.awaits(),
                    seen.stops(),
                    seen.gates());
        }

        private static List<LaneState> unpaused(List<LaneState> states) {
            return states.stream()
                    .map(state -> new LaneState(state.lane(), false))
                    .toList();
        }
    }

    /** Snoozing costs an attempt. */
    static final class CountsSnoozes extends ForwardingStorage {
        CountsSnoozes(StorageProvider storage) {
            super(storage);
        }

        @Override
        public List<WriteResult> record(List<Transition> endings) {
            return inner.record(endings.stream().map(CountsSnoozes::counted).toList());
        }

        private static Transition counted(Transition ending) {
            return ending.trigger() == Trigger.SNOOZE
                    ? Lifecycle.end(
                            ending.lease(),
                            Trigger.RETRY,
                            ending.details().withWhy(Failure.because("Snoozed", "counted")),
                            ending.delay())
                    : ending;
        }
    }

    /** Tells a run to end by the name of its job, whatever its lease: also the run that holds it now. */
    static final class StopsByJob extends ForwardingStorage {
        StopsByJob(StorageProvider storage) {
            super(storage);
        }

        @Override
        public RunStorage runs() {
            return new ForwardingRuns(inner.runs(), this::call) {
                @Override
                public List<StopRequest> stopRequests(@Nullable NodeId node) {
                    if (node == null) {
                        return inner.stillRunning();
                    }
                    List<StopRequest> all = new ArrayList<>(inner.stopRequests(node));
                    for (Lease lease : StopsByJob.this.inner.leasesOf(node)) {
                        all.add(new StopRequest(
                                RunId.of(lease), node, lease.job().createdAt(), Duration.ZERO));
                    }
                    return all;
                }
            };
        }
    }

    /** Never says that a run has really ended. */
    static final class NeverSaysEnded extends ForwardingStorage {
        NeverSaysEnded(StorageProvider storage) {
            super(storage);
        }

        @Override
        public RunStorage runs() {
            return new ForwardingRuns(inner.runs(), this::call) {
                @Override
                public void ended(Collection<RunId> runs) {
                    // forgotten
                }
            };
        }
    }

    /** Gives jobs less time than they asked for. */
    static final class HurriesJobs extends ForwardingStorage {
        HurriesJobs(StorageProvider storage) {
            super(storage);
        }

        @Override
        public List<Lease> claim(NodeId node, Lane lane, int max) {
            return inner.claim(node, lane, max).stream()
                    .map(HurriesJobs::hurried)
                    .toList();
        }

        private static Lease hurried(Lease lease) {
            Job job = lease.job();
            Duration timeout = job.traits().timeout();
            return timeout == null
                    ? lease
                    : new Lease(
                            new Job(
                                    job.id(),
                                    job.invocation(),
                                    job.traits().withTimeout(Duration.ofMillis(1)),
                                    job.createdAt(),
                                    job.attempt(),
                                    job.state()),
                            lease.token());
        }
    }
}
