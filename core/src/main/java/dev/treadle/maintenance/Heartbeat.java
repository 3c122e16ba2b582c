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
    private final Duration rest;
    /** How long after a heartbeat nobody else takes this node for dead. Worked out once, since each job asks. */
    private final Duration sureFor;

    private final InstantSource time;
    private final InstantSource wall;
    /** When the last heartbeat that arrived was sent: the storage saw it then or later. */
    private volatile @Nullable Sent lastSent;
    /** Since when heartbeats have arrived without a gap in which this node could have been taken for dead. */
    private volatile @Nullable Instant steadySince;

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
        // why by nanoseconds: a Duration divides by way of decimals, which is slow, and at a start even more so
        this.rest = Duration.ofNanos(deadAfter.toNanos() / BEATS_PER_DEATH);
        this.sureFor = Duration.ofNanos(2 * deadAfter.toNanos() / 3);
        this.time = time;
        this.wall = wall;
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
        if (steadySince == null || before != null && !isWithinLimit(before, now)) {
            // the first one; or this process stood still, or the storage was away and held it up: perhaps for everybody
            steadySince = now.time;
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
        Sent last = lastSent;
        return last != null && isWithinLimit(last, now());
    }

    private Sent now() {
        return new Sent(time.instant(), wall.instant());
    }

    private boolean isWithinLimit(Sent last, Sent now) {
        return now.time.isBefore(last.time.plus(sureFor)) && now.wall.isBefore(last.wall.plus(sureFor));
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
