package dev.treadle.simulation;

import dev.treadle.job.HistoryEntry.Event;
import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;
import dev.treadle.storage.Ending;
import dev.treadle.storage.Leased;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.QueueStorage;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.WriteResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/** What a node with one mistake in its engine would ask of its storage. */
final class BrokenNodes {
    private BrokenNodes() {}

    /** Rescued jobs go back as if they had never begun, so a poisonous one kills node after node. */
    static final class RescuesForFree extends ForwardingStorage {
        RescuesForFree(StorageProvider storage) {
            super(storage);
        }

        @Override
        public List<WriteResult> record(List<Ending> endings) {
            return inner.record(endings.stream()
                    .map(ending ->
                            ending.event() == Event.NODE_LOST ? new Ending.GiveBack(ending.lease(), null) : ending)
                    .toList());
        }
    }

    /** Endings whose write failed are not kept for the next turn. */
    static final class DropsEndings extends ForwardingStorage {
        DropsEndings(StorageProvider storage) {
            super(storage);
        }

        @Override
        public List<WriteResult> record(List<Ending> endings) {
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
        public List<Leased> leasesOf(NodeId node) {
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
        public List<Leased> orphans(Duration silentFor, int max) {
            return inner.orphans(silentFor.dividedBy(20), max);
        }
    }

    /** Starts each job it was given twice. */
    static final class StartsTwice extends ForwardingStorage {
        StartsTwice(StorageProvider storage) {
            super(storage);
        }

        @Override
        public List<Leased> claim(NodeId node, Lane lane, int max) {
            List<Leased> twice = new ArrayList<>(inner.claim(node, lane, max));
            twice.addAll(List.copyOf(twice));
            return twice;
        }
    }

    /** Tries again although no attempt is left. */
    static final class NeverGivesUp extends ForwardingStorage {
        NeverGivesUp(StorageProvider storage) {
            super(storage);
        }

        @Override
        public List<WriteResult> record(List<Ending> endings) {
            return inner.record(endings.stream().map(NeverGivesUp::again).toList());
        }

        private static Ending again(Ending ending) {
            return ending instanceof Ending.Fail fail
                    ? new Ending.Retry(fail.lease(), fail.event(), fail.ranFor(), fail.why(), Duration.ofMillis(10))
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
        public QueueStorage queues() {
            return new ForwardingQueues(this, inner.queues()) {
                @Override
                public List<LaneState> lanes() {
                    return inner.lanes().stream()
                            .map(state -> new LaneState(state.lane(), false))
                            .toList();
                }
            };
        }
    }
}
