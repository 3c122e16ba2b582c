package dev.treadle.dispatch;

import dev.treadle.invoke.Attempt;
import dev.treadle.invoke.StopActions;
import dev.treadle.job.NodeId;
import dev.treadle.job.StopReason;
import dev.treadle.storage.RunId;
import dev.treadle.storage.RunStorage;
import dev.treadle.storage.StopRequest;
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
 * Interrupts runs on this node that lost their lease, and says of each when it has really ended, so that one that
 * ignores the interrupt is seen to do so. One statement for a look, however many jobs run. One thread takes turns.
 */
public final class StopReader {
    /** How long to rest between two looks, in milliseconds. */
    static final long LOOK_EVERY_MILLIS = 300;
    /** How long a run may be unknown here because the answer of its claim is under way, in seconds. */
    static final long UNKNOWN_SECONDS_MAX = 5;

    private static final Logger LOG = LoggerFactory.getLogger(StopReader.class);

    private final RunStorage storage;
    private final NodeId self;
    private final InFlight inFlight;
    private final StopActions actions;
    private final InstantSource time;
    private volatile boolean wanted;
    /** Runs that were told to end here. */
    private final Set<RunId> told = new HashSet<>();
    /** Runs that ended here without a lease since the last look, so that there is no doubt about them. */
    private final Set<RunId> endedHere = ConcurrentHashMap.newKeySet();
    /** Since when runs that should end have not been known here. */
    private final Map<RunId, Instant> unknown = new HashMap<>();

    /** For one node. */
    public StopReader(RunStorage storage, NodeId self, InFlight inFlight, StopActions actions, InstantSource time) {
        this.storage = storage;
        this.self = self;
        this.inFlight = inFlight;
        this.actions = actions;
        this.time = time;
    }

    /** A run has ended here whose lease was gone. Any thread. */
    public void endedWithoutLease(RunId run) {
        endedHere.add(run);
    }

    /** The storage has a run of this node that should end. Any thread. */
    public void lookAgain() {
        wanted = true;
    }

    /** Looks once, if anything runs here, should end, or has ended without a lease. */
    public Duration turn() {
        boolean asked = wanted;
        wanted = false;
        if (asked || inFlight.size() > 0 || !told.isEmpty() || !unknown.isEmpty() || !endedHere.isEmpty()) {
            look();
        }
        return Duration.ofMillis(LOOK_EVERY_MILLIS);
    }

    private void look() {
        // before asking: a run that ends during the question is for the next look
        Set<RunId> endedBefore = Set.copyOf(endedHere);
        List<StopRequest> requests = storage.stopRequests(self);
        Set<RunId> wanted = new HashSet<>();
        List<RunId> ended = new ArrayList<>();
        for (StopRequest request : requests) {
            RunId run = request.run();
            wanted.add(run);
            Attempt attempt = inFlight.find(run);
            if (attempt != null) {
                tell(run, attempt);
            } else if (told.contains(run) || endedBefore.contains(run) || isUnknownForLong(run)) {
                ended.add(run);
            }
        }
        // what is asked for no more needs no memory
        told.retainAll(wanted);
        unknown.keySet().retainAll(wanted);
        if (!ended.isEmpty()) {
            storage.ended(ended);
        }
        endedHere.removeAll(endedBefore);
    }

    private void tell(RunId run, Attempt attempt) {
        unknown.remove(run);
        if (told.add(run)) {
            LOG.info("Job {} lost its lease (cancelled, or taken over by another node) and is told to end.", run.job());
            actions.stop(attempt, StopReason.LEASE_LOST);
        }
    }

    private boolean isUnknownForLong(RunId run) {
        Instant since = unknown.computeIfAbsent(run, fresh -> time.instant());
        return Duration.between(since, time.instant()).toSeconds() >= UNKNOWN_SECONDS_MAX;
    }
}
