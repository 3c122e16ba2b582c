package dev.treadle.maintenance;

import dev.treadle.job.JobState;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.NodeFigures;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.NodeMinute;
import dev.treadle.storage.NodeVitals;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts what this node does in the current minute and reads its vital figures. Both are written with the heartbeats, so
 * there is no extra statement, and a job costs a few additions in memory. The current minute is written again with each
 * heartbeat; a process that dies loses what came after its last one. The heartbeat's thread reads; the recording threads add.
 */
public final class NodeMetrics {
    private static final Logger LOG = LoggerFactory.getLogger(NodeMetrics.class);

    /** The first heartbeats carry no figures, so that a starting node does not spend time on reading them. */
    private static final int PLAIN_BEATS = 2;
    /** The first heartbeat with figures follows within this time. */
    private static final Duration FIRST_REST = Duration.ofSeconds(1);

    private final InstantSource time;
    private final @Nullable Machine machine;
    private final IntSupplier running;
    private final Supplier<Map<String, String>> words;
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by {@link #lock}, like all fields below. */
    private final Spread ran = new Spread();

    private final Spread waited = new Spread();
    private Instant begun;
    private long succeeded;
    private long failed;
    private @Nullable NodeVitals most;
    /** A minute that is over and still has to be written once more. */
    private @Nullable NodeMinute over;

    private int beats;
    /** The figures could not be read the last time. Used by the heartbeat's thread only. */
    private boolean blind;

    /**
     * @param machine null in an environment without one; then no figures are reported
     * @param words   further facts that the node reports, by name
     */
    public NodeMetrics(
            InstantSource time, @Nullable Machine machine, IntSupplier running, Supplier<Map<String, String>> words) {
        this.words = words;
        this.time = time;
        this.machine = machine;
        this.running = running;
        this.begun = time.instant();
    }

    /** The machine that a node runs on. */
    public interface Machine {
        /** The current figures. */
        NodeVitals vitals(int running);

        /** Facts that do not change while the node runs, by name. */
        Map<String, String> facts();
    }

    /** Counts an ending that has been recorded. */
    public void ended(Transition ending) {
        if (machine == null) {
            return;
        }
        lock.lock();
        try {
            if (ending.next() == StateName.SUCCEEDED) {
                succeeded++;
            } else if (ending.next() == StateName.FAILED) {
                failed++;
            }
            Duration ranFor = ending.ranFor();
            if (ranFor != null) {
                ran.add(ranFor.toMillis());
                var job = ending.lease().job();
                if (job.attempt() == 1 && job.state() instanceof JobState.Processing processing) {
                    waited.add(
                            processing.since().toEpochMilli() - job.createdAt().toEpochMilli());
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** This node as the next heartbeat reports it. */
    public NodeInfo of(NodeInfo self) {
        if (machine == null || isPlain()) {
            return self;
        }
        NodeVitals vitals;
        Map<String, String> facts;
        try {
            vitals = machine.vitals(running.getAsInt());
            facts = new LinkedHashMap<>(machine.facts());
            facts.putAll(words.get());
        } catch (RuntimeException | LinkageError e) {
            // not thrown: without heartbeats this node would stop claiming, and others would take its jobs
            if (!blind) {
                LOG.warn(
                        "The figures of this JVM cannot be read. Heartbeats are written without them until they can.",
                        e);
            }
            blind = true;
            return self;
        }
        blind = false;
        lock.lock();
        try {
            most = most == null ? vitals : most(most, vitals);
            Instant now = time.instant();
            NodeMinute minute = over == null ? minute(now) : over;
            if (over == null && now.truncatedTo(ChronoUnit.MINUTES).isAfter(minute.at())) {
                over = minute;
                begin(now);
            }
            return self.with(new NodeFigures(vitals, facts, minute));
        } finally {
            lock.unlock();
        }
    }

    /**
     * A heartbeat has been written.
     *
     * @param rest the rest that the heartbeat asks for
     * @return the rest until the next heartbeat
     */
    public Duration beaten(Duration rest) {
        lock.lock();
        try {
            over = null;
            if (beats < PLAIN_BEATS) {
                beats++;
                return machine != null && rest.compareTo(FIRST_REST) > 0 ? FIRST_REST : rest;
            }
            return rest;
        } finally {
            lock.unlock();
        }
    }

    private boolean isPlain() {
        lock.lock();
        try {
            return beats < PLAIN_BEATS;
        } finally {
            lock.unlock();
        }
    }

    private NodeMinute minute(Instant now) {
        NodeVitals seen = most;
        if (seen == null) {
            throw new AssertionError("A minute was requested before any figures were read.");
        }
        return new NodeMinute(
                begun,
                (int) Math.min(Integer.MAX_VALUE, Duration.between(begun, now).toSeconds()),
                succeeded,
                failed,
                ran.percentile(0.5),
                ran.percentile(0.95),
                waited.percentile(0.95),
                seen.running(),
                seen.heapUsed(),
                seen.heapSize(),
                seen.heapMax(),
                seen.cpu(),
                seen.threads());
    }

    private void begin(Instant now) {
        begun = now;
        succeeded = 0;
        failed = 0;
        ran.clear();
        waited.clear();
        most = null;
    }

    private static NodeVitals most(NodeVitals one, NodeVitals other) {
        return new NodeVitals(
                Math.max(one.heapUsed(), other.heapUsed()),
                Math.max(one.heapSize(), other.heapSize()),
                other.heapMax(),
                Math.max(one.cpu(), other.cpu()),
                other.gcMillis(),
                Math.max(one.threads(), other.threads()),
                Math.max(one.running(), other.running()));
    }
}
