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
 * Says that this node lives, and knows how sure the others can be of it. One thread takes turns; any thread may ask.
 *
 * <p>Two clocks say how long ago a heartbeat was sent, and the longer answer counts: a steady one may stand still while the
 * machine is suspended, the one on the wall may be set back. Set forward, it costs no more than a rest until the next
 * heartbeat.
 */
public final class Heartbeat {
    /** Heartbeats per {@code deadAfter}: two may be lost before others take this node for dead. */
    private static final int BEATS_PER_DEATH = 3;

    private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);

    private final StorageProvider storage;
    private final Supplier<NodeInfo> self;
    private final Duration deadAfter;
    /** How long after a heartbeat nobody else takes this node for dead. Worked out once, since each job asks. */
    private final Duration sureFor;

    private final InstantSource time;
    private final InstantSource wall;
    /** When the last heartbeat that arrived was sent: the storage saw it then or later. */
    private volatile @Nullable Sent lastSent;
    /** Since when heartbeats have arrived without a gap in which the most impatient node could have been taken for dead. */
    private volatile @Nullable Instant steadySince;
    /** The shortest silence of any node, at most this node's own. */
    private volatile Duration patience;

    /** One moment on both clocks. */
    private record Sent(Instant time, Instant wall) {}

    /**
     * @param deadAfter how long a node may be silent before its jobs are rescued
     * @param time      never goes back, and may stand still while the machine is suspended
     * @param wall      goes on then
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

    /** Why by nanoseconds: a Duration divides by way of decimals, which is slow, and at a start even more so. */
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
            // the first one; or this process stood still, or the storage was away and held it up: perhaps for everybody
            steadySince = now.time;
        }
        // last: a thread that finds this node sure again must find the new beginning, too
        lastSent = sent;
        return Duration.ofNanos(shortest.toNanos() / BEATS_PER_DEATH);
    }

    private void warnIfHeldUp(Duration took) {
        if (took.toNanos() > deadAfter.toNanos() / BEATS_PER_DEATH) {
            LOG.warn(
                    "A heartbeat took {}, more than a third of deadAfter ({}): after {} others take this node for dead. Look"
                            + " for a database that is slow, or for a connection pool that has nothing to lend.",
                    took,
                    deadAfter,
                    deadAfter);
        }
    }

    /** Whether others surely take this node for alive: only then may it claim. */
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
     * Heartbeats as often as the most impatient node from now on: that its heartbeats could arrive is known only from those
     * of this node.
     *
     * @param shortest the shortest silence of any other node
     */
    void keepPaceWith(Duration shortest) {
        Duration next = shortest.compareTo(deadAfter) < 0 ? shortest : deadAfter;
        if (next.compareTo(patience) < 0) {
            steadySince = null;
        }
        patience = next;
    }

    /** How often something is to be looked at that concerns the most impatient node. */
    Duration patience() {
        return patience;
    }

    /**
     * Since when the heartbeats of this node have arrived steadily; null if they do not, and then it may judge nobody.
     * Before that the storage may have been away for everybody, or this node stood still and did not see the others.
     */
    @Nullable
    Instant steadySince() {
        Sent last = lastSent;
        return last != null && isWithin(sureFor(patience), last, now()) ? steadySince : null;
    }
}
