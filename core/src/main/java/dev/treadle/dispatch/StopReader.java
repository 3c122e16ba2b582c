package dev.treadle.dispatch;

import dev.treadle.invoke.Attempt;
import dev.treadle.invoke.StopActions;
import dev.treadle.job.NodeId;
import dev.treadle.job.StopReason;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.StopRequest;
import dev.treadle.storage.RunStorage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Interrupts runs on this node that lost their lease, and reports when each has really ended, so that operators can see
 * runs that ignore the interrupt. A look costs one statement, however many jobs run. One thread takes turns.
 */
public final class StopReader {
    /** How long to rest between two looks, in milliseconds. */
    static final long LOOK_EVERY_MILLIS = 300;
    /** How long a run may be unknown here because the answer to its claim is on its way, in seconds. */
    static final long UNKNOWN_SECONDS_MAX = 5;

    private static final Logger LOG = LoggerFactory.getLogger(StopReader.class);

    private final RunStorage storage;
    private final NodeId self;
    private final InFlight inFlight;
    private final StopActions actions;
    private final InstantSource time;
    private volatile boolean wanted;
    /** Runs on this node that have been told to end. */
    private final Set<RunId> stopped = new HashSet<>();
    /** Runs that ended here without their lease since the last look. */
    private final Set<RunId> endedHere = ConcurrentHashMap.newKeySet();
    /** When this node first failed to find a run that should end. */
    private final Map<RunId, Instant> unknown = new HashMap<>();

    /** For one node. */
    public StopReader(RunStorage storage, NodeId self, InFlight inFlight, StopActions actions, InstantSource time) {
        this.storage = storage;
        this.self = self;
        this.inFlight = inFlight;
        this.actions = actions;
        this.time = time;
    }

    /** A run has ended here after it lost its lease. May be called on any thread. */
    public void endedWithoutLease(RunId run) {
        endedHere.add(run);
    }

    /** The storage has a run of this node that should end. May be called on any thread. */
    public void lookAgain() {
        wanted = true;
    }

    /** Looks once, if anything runs here, should end, or has ended without its lease. */
    public Duration turn() {
        boolean asked = wanted;
        wanted = false;
        if (asked || inFlight.size() > 0 || !stopped.isEmpty() || !unknown.isEmpty() || !endedHere.isEmpty()) {
            look();
        }
        return Duration.ofMillis(LOOK_EVERY_MILLIS);
    }

    private void look() {
        // read before asking: what ends in the meantime is handled by the next look
        Set<RunId> endedBefore = Set.copyOf(endedHere);
        List<StopRequest> requests = storage.stopRequests(self);
        Set<RunId> wanted = new HashSet<>();
        List<RunId> ended = new ArrayList<>();
        for (StopRequest request : requests) {
            RunId run = request.run();
            wanted.add(run);
            Attempt attempt = inFlight.find(run);
            if (attempt != null) {
                stop(run, attempt);
            } else if (stopped.contains(run) || endedBefore.contains(run) || isUnknownForLong(run)) {
                ended.add(run);
            }
        }
        // forget runs that are no longer requested to stop
        stopped.retainAll(wanted);
        unknown.keySet().retainAll(wanted);
        if (!ended.isEmpty()) {
            storage.ended(ended);
        }
        endedHere.removeAll(endedBefore);
    }

    private void stop(RunId run, Attempt attempt) {
        unknown.remove(run);
        if (stopped.add(run)) {
            LOG.info("Job {} lost its lease (cancelled, or taken over by another node). Stopping it.", run.job());
            actions.stop(attempt, StopReason.LEASE_LOST);
        }
    }

    private boolean isUnknownForLong(RunId run) {
        Instant since = unknown.computeIfAbsent(run, fresh -> time.instant());
        return Duration.between(since, time.instant()).toSeconds() >= UNKNOWN_SECONDS_MAX;
    }
}
