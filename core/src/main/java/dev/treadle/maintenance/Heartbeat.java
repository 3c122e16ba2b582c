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
 */
public final class Heartbeat {
    /** Heartbeats per {@code deadAfter}: two may be lost before others take this node for dead. */
    private static final int BEATS_PER_DEATH = 3;

    private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);

    private final StorageProvider storage;
    private final Supplier<NodeInfo> self;
    private final Duration deadAfter;
    private final Duration rest;
    /** How long after a heartbeat nobody else takes this node for dead. Worked out once, since each job asks. */
    private final Duration sureFor;

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
        // why by nanoseconds: a Duration divides by way of decimals, which is slow, and at a start even more so
        this.rest = Duration.ofNanos(deadAfter.toNanos() / BEATS_PER_DEATH);
        this.sureFor = Duration.ofNanos(2 * deadAfter.toNanos() / 3);
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
        Instant now = time.instant();
        warnIfHeldUp(Duration.between(sent, now));
        Instant before = lastSent;
        if (steadySince == null || before != null && !isWithinLimit(before, now)) {
            // the first one; or this process stood still, or the storage was away and held it up: perhaps for everybody
            steadySince = now;
        }
        // last: whoever finds this node sure again must find the new beginning, too
        lastSent = sent;
        return rest;
    }

    private void warnIfHeldUp(Duration took) {
        if (took.compareTo(rest) > 0) {
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
        Instant last = lastSent;
        return last != null && isWithinLimit(last, time.instant());
    }

    private boolean isWithinLimit(Instant last, Instant now) {
        return now.isBefore(last.plus(sureFor));
    }

    /**
     * Whether this node may judge that others are silent. When it has just started, or its own heartbeats failed or were
     * held up, it first gives everybody the time to be heard: perhaps the storage was away for all of them.
     */
    public boolean mayJudge() {
        Instant since = steadySince;
        return isSure()
                && since != null
                && Duration.between(since, time.instant()).compareTo(deadAfter) > 0;
    }
}
