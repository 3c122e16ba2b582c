package dev.treadle.maintenance;

import dev.treadle.job.Failure;
import dev.treadle.job.NodeId;
import dev.treadle.outcome.NextState;
import dev.treadle.outcome.Outcome;
import dev.treadle.storage.Ending;
import dev.treadle.storage.Leased;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.WriteResult;
import java.time.Duration;
import java.util.List;
import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the jobs of silent nodes another attempt. Every node does this and no leader is needed: the lease token decides
 * which rescuer wins. A rescued job counts its attempt, so a job that kills its JVM stops doing so.
 */
public final class OrphanRescuer {
    /** Most jobs rescued in one turn, in jobs. */
    public static final int RESCUE_BATCH_MAX = 500;

    private static final Logger LOG = LoggerFactory.getLogger(OrphanRescuer.class);

    private final StorageProvider storage;
    private final NodeId self;
    private final Heartbeat heartbeat;
    private final NextState next;
    private final Duration deadAfter;
    private final DoubleSupplier random;

    /** @param random numbers from 0 (inclusive) to 1 (exclusive) */
    public OrphanRescuer(
            StorageProvider storage,
            NodeId self,
            Heartbeat heartbeat,
            NextState next,
            Duration deadAfter,
            DoubleSupplier random) {
        this.storage = storage;
        this.self = self;
        this.heartbeat = heartbeat;
        this.next = next;
        this.deadAfter = deadAfter;
        this.random = random;
    }

    /** Rescues what is orphaned now. */
    public Duration turn() {
        Duration usual = Duration.ofNanos(deadAfter.toNanos() / 6);
        if (!heartbeat.mayJudge()) {
            return usual;
        }
        List<Leased> orphans = storage.orphans(deadAfter, RESCUE_BATCH_MAX);
        if (!heartbeat.mayJudge()) {
            // the storage was away while it was asked: whom it has not heard from may have had no chance, even this
            // node
            return usual;
        }
        if (!orphans.isEmpty()) {
            rescue(orphans);
        }
        for (NodeId dead : storage.bury(deadAfter)) {
            LOG.warn("{} has been silent for more than {} and holds no job any more.", dead, deadAfter);
        }
        return orphans.size() == RESCUE_BATCH_MAX ? Duration.ZERO : usual;
    }

    private void rescue(List<Leased> orphans) {
        List<Ending> endings = orphans.stream().map(this::ending).toList();
        List<WriteResult> results = storage.record(endings);
        long rescued = results.stream().filter(WriteResult.WRITTEN::equals).count();
        LOG.warn("Rescued {} jobs of nodes that were silent for more than {}.", rescued, deadAfter);
    }

    private Ending ending(Leased orphan) {
        Failure why = Failure.because(
                "NodeLost",
                orphan.node() + " was silent for more than " + deadAfter + " while it held the lease; rescued by "
                        + self + ".");
        return next.after(orphan, new Outcome.NodeLost(why), random.getAsDouble());
    }
}
