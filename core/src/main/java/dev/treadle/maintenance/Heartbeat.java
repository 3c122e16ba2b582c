package dev.treadle.maintenance;

import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.StorageProvider;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Says that this node lives, and knows how sure the others can be of it. One thread takes turns; any thread may ask.
 */
public final class Heartbeat {
    /** Heartbeats per {@code deadAfter}: two may be lost before others take this node for dead. */
    private static final int BEATS_PER_DEATH = 3;

    private final StorageProvider storage;
    private final Supplier<NodeInfo> self;
    private final Duration deadAfter;
    /** How long after a heartbeat nobody else takes this node for dead. Worked out once, since each job asks. */
    private final Duration sureFor;

    private final InstantSource time;
    /** When the last heartbeat that arrived was sent: the storage saw it then or later. */
    private volatile @Nullable Instant lastSent;
    /** Since when heartbeats have arrived without a gap in which the most impatient node could have been taken for dead. */
    private volatile @Nullable Instant steadySince;
    /** The shortest silence of any node, at most this node's own. */
    private volatile Duration patience;

    /** @param deadAfter how long a node may be silent before its jobs are rescued */
    public Heartbeat(StorageProvider storage, Supplier<NodeInfo> self, Duration deadAfter, InstantSource time) {
        this.storage = storage;
        this.self = self;
        this.deadAfter = deadAfter;
        this.sureFor = sureFor(deadAfter);
        this.patience = deadAfter;
        this.time = time;
    }

    /** Why by nanoseconds: a Duration divides by way of decimals, which is slow, and at a start even more so. */
    private static Duration sureFor(Duration silence) {
        return Duration.ofNanos(2 * silence.toNanos() / 3);
    }

    /** Sends one heartbeat. */
    public Duration turn() {
        Instant sent = time.instant();
        boolean arrived = false;
        try {
            storage.heartbeat(self.get());
            arrived = true;
        } finally {
            if (!arrived) {
                steadySince = null;
            }
        }
        Instant now = time.instant();
        Instant before = lastSent;
        Duration shortest = patience;
        if (steadySince == null || before != null && !now.isBefore(before.plus(sureFor(shortest)))) {
            // the first one; or this process stood still, or the storage was away and held it up: perhaps for everybody
            steadySince = now;
        }
        // last: whoever finds this node sure again must find the new beginning, too
        lastSent = sent;
        return Duration.ofNanos(shortest.toNanos() / BEATS_PER_DEATH);
    }

    /** Whether others surely take this node for alive: only then may it claim. */
    public boolean isSure() {
        Instant last = lastSent;
        return last != null && time.instant().isBefore(last.plus(sureFor));
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
        Instant last = lastSent;
        return last != null && time.instant().isBefore(last.plus(sureFor(patience))) ? steadySince : null;
    }
}
