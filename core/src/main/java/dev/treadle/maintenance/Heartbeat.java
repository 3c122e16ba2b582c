package dev.treadle.maintenance;

import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.StorageProvider;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes this node's heartbeat, and knows whether other nodes still take it for alive. One thread takes turns; any thread
 * may ask.
 *
 * <p>The age of a heartbeat is measured by two clocks, and the higher value counts: a steady clock may stand still while the
 * machine is suspended, and the wall clock may be set back. A wall clock that is set forward only makes this node pause until
 * its next heartbeat.
 */
public final class Heartbeat {
    /** Heartbeats per {@code deadAfter}: two may be lost before other nodes take this one for dead. */
    private static final int BEATS_PER_DEATH = 3;

    private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);

    private final StorageProvider storage;
    private final Supplier<NodeInfo> self;
    private final Duration deadAfter;
    /** How long after a heartbeat no node takes this one for dead. Computed once, because each job asks. */
    private final Duration sureFor;

    private final InstantSource time;
    private final InstantSource wall;
    /** When the last successful heartbeat was sent: the storage saw it then or later. */
    private volatile @Nullable Sent lastSent;
    /** Since when heartbeats have arrived without a gap that could have made the most impatient node look dead. */
    private volatile @Nullable Instant steadySince;
    /** The shortest {@code deadAfter} of any node, at most this node's own. */
    private volatile Duration patience;

    /** One moment on both clocks. */
    private record Sent(Instant time, Instant wall) {}

    /**
     * @param deadAfter how long a node may be silent before its jobs are rescued
     * @param time      never goes back, and may stand still while the machine is suspended
     * @param wall      keeps going then
     */
    public Heartbeat(
            StorageProvider storage,
            Supplier<NodeInfo> self,
            Duration deadAfter,
            InstantSource time,
            InstantSource wall) {
        this.storage = storage;
        this.self = self;
        this.deadAfter = deadAfter;
        this.sureFor = sureFor(deadAfter);
        this.patience = deadAfter;
        this.time = time;
        this.wall = wall;
    }

    /** In nanoseconds, because Duration divides with decimals, which is slow, especially in a JVM that has just started. */
    private static Duration sureFor(Duration silence) {
        return Duration.ofNanos(2 * silence.toNanos() / 3);
    }

    /** Sends one heartbeat. */
    public Duration turn() {
        Sent sent = now();
        boolean arrived = false;
        try {
            storage.heartbeat(self.get());
            arrived = true;
        } finally {
            if (!arrived) {
                steadySince = null;
            }
        }
        Sent now = now();
        warnIfHeldUp(Duration.between(sent.time, now.time));
        Sent before = lastSent;
        Duration shortest = patience;
        if (steadySince == null || before != null && !isWithin(sureFor(shortest), before, now)) {
            // the first heartbeat, or this process stood still, or the storage was unavailable, perhaps for all nodes
            steadySince = now.time;
        }
        // set last: a thread that finds this node sure again must also see the new beginning
        lastSent = sent;
        return Duration.ofNanos(shortest.toNanos() / BEATS_PER_DEATH);
    }

    private void warnIfHeldUp(Duration took) {
        if (took.toNanos() > deadAfter.toNanos() / BEATS_PER_DEATH) {
            LOG.warn(
                    "A heartbeat took {}, more than a third of deadAfter ({}). After {} other nodes take this one for dead."
                            + " Check whether the database is slow or the connection pool is exhausted.",
                    took,
                    deadAfter,
                    deadAfter);
        }
    }

    /** Whether all other nodes surely take this one for alive. Only then may it claim. */
    public boolean isSure() {
        Sent last = lastSent;
        return last != null && isWithin(sureFor, last, now());
    }

    private Sent now() {
        return new Sent(time.instant(), wall.instant());
    }

    private static boolean isWithin(Duration limit, Sent last, Sent now) {
        return now.time.isBefore(last.time.plus(limit)) && now.wall.isBefore(last.wall.plus(limit));
    }

    /**
     * From now on writes heartbeats as often as the most impatient node does: only its own heartbeats tell this node whether
     * those of the other could have arrived.
     *
     * @param shortest the shortest {@code deadAfter} of the other nodes
     */
    void keepPaceWith(Duration shortest) {
        Duration next = shortest.compareTo(deadAfter) < 0 ? shortest : deadAfter;
        if (next.compareTo(patience) < 0) {
            steadySince = null;
        }
        patience = next;
    }

    /** The shortest {@code deadAfter} of all nodes; whatever judges other nodes looks that often. */
    Duration patience() {
        return patience;
    }

    /**
     * Since when this node's heartbeats have arrived steadily; null if they do not. A node without steady heartbeats must not
     * judge others: the storage may have been unavailable for all, or this node stood still and did not see them.
     */
    @Nullable
    Instant steadySince() {
        Sent last = lastSent;
        return last != null && isWithin(sureFor(patience), last, now()) ? steadySince : null;
    }
}
