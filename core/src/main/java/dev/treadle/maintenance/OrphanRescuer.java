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
 * Finds dead nodes and gives their jobs another attempt. Every node does this without a leader: the lease token decides which
 * rescuer wins. The lost attempt counts, so that a job which kills its JVM is not retried without end.
 *
 * <p>To judge, it reads one row per node and no lease. It looks through the leases after a death, and now and then for leases
 * that were created when their node was already gone, because its last statement took effect late.
 */
public final class OrphanRescuer {
    /** The highest number of jobs rescued in one turn. */
    public static final int RESCUE_BATCH_MAX = 500;
    /** How often to look at the other nodes within {@code deadAfter}. */
    private static final int LOOKS_PER_DEATH = 6;
    /** The longest time between two looks through all leases without a death, in seconds. */
    private static final long SWEEP_SECONDS_MAX = 60;
    /** How long every turn looks through the leases after a death, in {@code deadAfter}: some may be locked at first. */
    private static final int SWEEP_AFTER_DEATH = 3;
    /** After this many failed writes in a row the storage counts as unavailable; halving a batch to one job takes fewer. */
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
    /** When to look through the leases next; null at the first turn. */
    private @Nullable Instant sweepAt;
    /** Until when every turn looks through the leases. */
    private Instant sweepUntil = Instant.MIN;

    private int failures;

    /**
     * @param deadAfter how long a node may be silent if it does not say
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

    /** Finds dead nodes and rescues orphans. */
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
        look.silent().forEach(silent -> declareDead(silent, now));
        if (isTimeToSweep(now) && sweep(now, others.size())) {
            return Duration.ZERO;
        }
        return look.untilNext().compareTo(usual) < 0 ? look.untilNext() : usual;
    }

    private void keepPace(List<NodeBeat> others) {
        Duration shortest = deadAfter;
        for (NodeBeat beat : others) {
            Duration own = beat.deadAfter();
            if (own != null && own.compareTo(shortest) < 0) {
                shortest = own;
            }
        }
        heartbeat.keepPaceWith(shortest);
    }

    private void declareDead(NodeBeat silent, Instant now) {
        Duration allowed = silent.deadAfter() == null ? deadAfter : silent.deadAfter();
        Instant before = sweepUntil;
        // set before writing: if the answer is lost, the write may still have taken effect
        sweepUntil = now.plus(allowed.multipliedBy(SWEEP_AFTER_DEATH));
        if (storage.bury(silent)) {
            LOG.warn("{} has been silent for more than {}. Its jobs are being rescued.", silent.node(), allowed);
        } else {
            // it has sent a heartbeat, or another node has declared it dead and looks through the leases
            sweepUntil = before;
        }
    }

    private boolean isTimeToSweep(Instant now) {
        return sweepAt == null || !now.isBefore(sweepAt) || now.isBefore(sweepUntil);
    }

    /**
     * Looks through the leases and rescues orphans.
     *
     * @return whether there are more
     */
    private boolean sweep(Instant now, int others) {
        List<Lease> orphans = storage.orphans(self, RESCUE_BATCH_MAX);
        int rescued = rescue(orphans);
        if (rescued > 0) {
            LOG.warn("Rescued {} jobs of dead nodes.", rescued);
        }
        if (orphans.size() == RESCUE_BATCH_MAX && rescued > 0) {
            return true;
        }
        // all nodes together look once per deadAfter, however many there are
        Duration rest = deadAfter.multipliedBy(others + 1L);
        Duration longest = Duration.ofSeconds(SWEEP_SECONDS_MAX);
        Duration least = deadAfter.compareTo(longest) > 0 ? deadAfter : longest;
        sweepAt = now.plus(rest.compareTo(least) > 0 ? least : rest);
        return false;
    }

    /** Splits a batch that cannot be written, so that one bad job does not hold up the others. */
    private int rescue(List<Lease> orphans) {
        if (orphans.isEmpty() || !heartbeat.isSure()) {
            // if this node stood still, the other nodes may have come back
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
            LOG.error(
                    "Job {} cannot be rescued at the moment.",
                    orphans.get(0).job().id(),
                    e);
            return 0;
        }
    }

    private Transition ending(Lease orphan) {
        Failure why = Failure.because(
                "NodeLost", orphan.node() + " died or left while it held the lease. Rescued by " + self + ".");
        return next.after(orphan, new Outcome.NodeLost(why), random.getAsDouble());
    }
}
