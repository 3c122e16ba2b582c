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
    private final InstantSource time;
    /** When the last heartbeat that arrived was sent: the storage saw it then or later. */
    private volatile @Nullable Instant lastSent;
    /** Since when heartbeats have arrived without a gap in which this node could have been taken for dead. */
    private volatile @Nullable Instant steadySince;

    /** @param deadAfter how long a node may be silent before its jobs are rescued */
    public Heartbeat(StorageProvider storage, Supplier<NodeInfo> self, Duration deadAfter, InstantSource time) {
        this.storage = storage;
        this.self = self;
        this.deadAfter = deadAfter;
        this.time = time;
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
        Instant before = lastSent;
        lastSent = sent;
        if (before != null && Duration.between(before, sent).compareTo(deadAfter) > 0) {
            // this process stood still, and perhaps all others with it
            steadySince = sent;
        }
        if (steadySince == null) {
            steadySince = sent;
        }
        return deadAfter.dividedBy(BEATS_PER_DEATH);
    }

    /** Whether others surely take this node for alive: only then may it claim. */
    public boolean isSure() {
        Instant last = lastSent;
        Duration limit = deadAfter.multipliedBy(2).dividedBy(3);
        return last != null && Duration.between(last, time.instant()).compareTo(limit) < 0;
    }

    /**
     * Whether this node may judge that others are silent. When it has just started, or its own heartbeats failed, it
     * first gives everybody the time to be heard: perhaps the storage was away for all of them, and a node that joins
     * then cannot know.
     */
    public boolean mayJudge() {
        Instant since = steadySince;
        return isSure()
                && since != null
                && Duration.between(since, time.instant()).compareTo(deadAfter) > 0;
    }
}
