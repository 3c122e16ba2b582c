package dev.treadle.maintenance;

import dev.treadle.job.Failure;
import dev.treadle.job.NodeId;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Transition;
import dev.treadle.outcome.NextState;
import dev.treadle.outcome.Outcome;
import dev.treadle.storage.NodeBeat;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.StorageProvider;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out which nodes are dead, and gives their jobs another attempt. Every node does this and no leader is needed: the
 * lease token decides which rescuer wins. A rescued job counts its attempt, so a job that kills its JVM stops doing so.
 *
 * <p>Judging reads one row for each node and no lease. Leases are looked through after a death, and now and then for
 * those that came to be when their node was already gone: its last statement took effect late.
 */
public final class OrphanRescuer {
    /** Most jobs rescued in one turn, in jobs. */
    public static final int RESCUE_BATCH_MAX = 500;
    /** Looks at the other nodes per {@code deadAfter}. */
    private static final int LOOKS_PER_DEATH = 6;
    /** Longest time between two looks through all leases that no death gave reason for, in seconds. */
    private static final long SWEEP_SECONDS_MAX = 60;
    /** How long leases are looked through at each turn after a death, in {@code deadAfter}: some may be locked at first. */
    private static final int SWEEP_AFTER_DEATH = 3;
    /** Most writes in a row that fail before the storage is taken for away: more than halving a batch to one job takes. */
    private static final int FAILURES_MAX = 12;

    private static final Logger LOG = LoggerFactory.getLogger(OrphanRescuer.class);

    private final StorageProvider storage;
    private final NodeId self;
    private final Heartbeat heartbeat;
    private final NextState next;
    private final Duration deadAfter;
    private final InstantSource time;
    private final DoubleSupplier random;
    private final SilenceWatch watch;
    /** When the leases are looked through next; null at the first turn. */
    private @Nullable Instant sweepAt;
    /** Until when they are looked through at every turn. */
    private Instant sweepUntil = Instant.MIN;

    private int failures;

    /**
     * @param deadAfter how long a node may be silent that does not tell
     * @param random    numbers from 0 (inclusive) to 1 (exclusive)
     */
    public OrphanRescuer(
            StorageProvider storage,
            NodeId self,
            Heartbeat heartbeat,
            NextState next,
            Duration deadAfter,
            InstantSource time,
            DoubleSupplier random) {
        this.storage = storage;
        this.self = self;
        this.heartbeat = heartbeat;
        this.next = next;
        this.deadAfter = deadAfter;
        this.time = time;
        this.random = random;
        this.watch = new SilenceWatch(deadAfter);
    }

    /** Judges who is dead, and rescues what is orphaned. */
    public Duration turn() {
        Duration usual = Duration.ofNanos(heartbeat.patience().toNanos() / LOOKS_PER_DEATH);
        if (heartbeat.steadySince() == null) {
            return usual;
        }
        Instant asked = time.instant();
        List<NodeBeat> others = storage.beats().stream()
                .filter(beat -> !beat.node().equals(self))
                .toList();
        Instant now = time.instant();
        keepPace(others);
        Instant steady = heartbeat.steadySince();
        if (steady == null) {
            return usual;
        }
        SilenceWatch.Look look = watch.look(others, asked, now, steady);
        look.silent().forEach(silent -> bury(silent, now));
        if (isTimeToSweep(now) && sweep(now, others.size())) {
            return Duration.ZERO;
        }
        return look.untilNext().compareTo(usual) < 0 ? look.untilNext() : usual;
    }

    private void keepPace(List<NodeBeat> others) {
        Duration shortest = deadAfter;
        for (NodeBeat beat : others) {
            Duration told = beat.deadAfter();
            if (told != null && told.compareTo(shortest) < 0) {
                shortest = told;
            }
        }
        heartbeat.keepPaceWith(shortest);
    }

    private void bury(NodeBeat silent, Instant now) {
        Duration allowed = silent.deadAfter() == null ? deadAfter : silent.deadAfter();
        Instant before = sweepUntil;
        // before asking: where the answer is lost, it may have taken effect
        sweepUntil = now.plus(allowed.multipliedBy(SWEEP_AFTER_DEATH));
        if (storage.bury(silent)) {
            LOG.warn("{} has been silent for more than {}: what it holds is rescued.", silent.node(), allowed);
        } else {
            // it was heard since, or another node has buried it and looks through the leases
            sweepUntil = before;
        }
    }

    private boolean isTimeToSweep(Instant now) {
        return sweepAt == null || !now.isBefore(sweepAt) || now.isBefore(sweepUntil);
    }

    /**
     * Rescues what it finds.
     *
     * @return whether there is more
     */
    private boolean sweep(Instant now, int others) {
        List<Lease> orphans = storage.orphans(self, RESCUE_BATCH_MAX);
        int rescued = rescue(orphans);
        if (rescued > 0) {
            LOG.warn("Rescued {} jobs of nodes that have gone.", rescued);
        }
        if (orphans.size() == RESCUE_BATCH_MAX && rescued > 0) {
            return true;
        }
        // of all nodes together once per deadAfter, however many they are
        Duration rest = deadAfter.multipliedBy(others + 1L);
        Duration longest = Duration.ofSeconds(SWEEP_SECONDS_MAX);
        Duration least = deadAfter.compareTo(longest) > 0 ? deadAfter : longest;
        sweepAt = now.plus(rest.compareTo(least) > 0 ? least : rest);
        return false;
    }

    /** In halves where something cannot be written, so that it holds up nothing but itself. */
    private int rescue(List<Lease> orphans) {
        if (orphans.isEmpty() || !heartbeat.isSure()) {
            // while this node stood still, those nodes may have come back
            return 0;
        }
        try {
            List<WriteResult> results =
                    storage.rescue(orphans.stream().map(this::ending).toList());
            failures = 0;
            return (int) results.stream().filter(WriteResult.WRITTEN::equals).count();
        } catch (StorageException e) {
            failures++;
            if (failures >= FAILURES_MAX) {
                failures = 0;
                throw e;
            }
            if (orphans.size() > 1) {
                int half = orphans.size() / 2;
                return rescue(orphans.subList(0, half)) + rescue(orphans.subList(half, orphans.size()));
            }
            LOG.error("Job {} cannot be rescued now.", orphans.get(0).job().id(), e);
            return 0;
        }
    }

    private Transition ending(Lease orphan) {
        Failure why = Failure.because(
                "NodeLost",
                orphan.node() + " was taken for dead or has left while it held the lease; rescued by " + self + ".");
        return next.after(orphan, new Outcome.NodeLost(why), random.getAsDouble());
    }
}
