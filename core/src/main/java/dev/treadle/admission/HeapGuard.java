package dev.treadle.admission;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Watches the heap and limits how many jobs run at once, as {@link HeapStep} decides. One thread takes turns; any may ask. */
public final class HeapGuard {
    /** How often it looks at the heap, in milliseconds. */
    static final long LOOK_MILLIS = 100;
    /** After any log line, raises are not logged for this long, in milliseconds. */
    static final long RAISES_MILLIS = 10_000;
    /** After a log line about a lowering, lowerings are not logged for this long, in milliseconds. */
    static final long LOWERINGS_MILLIS = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(HeapGuard.class);

    private final HeapLimits limits;
    private final int total;
    private final Supplier<Heap> heap;
    private final InstantSource time;
    private final Gate gate;
    private HeapStep.State state;
    private @Nullable Long loggedAt;
    private @Nullable Long loweringAt;
    private int unlogged;
    private volatile View view;

    /** Limits how many jobs run. */
    public interface Gate {
        /** The highest limit that can be set. */
        int total();

        /** How many jobs are running. */
        int running();

        /** How many attempts have ended so far. */
        long ended();

        /** How many of those ended with an OutOfMemoryError. */
        long ranOut();

        /** Whether claimed jobs wait for a permit. */
        boolean isAnyWaiting();

        /** Limits how many jobs run at once from now on. Running jobs go on. */
        void admit(int jobs);
    }

    /**
     * The guard's state, for display.
     *
     * @param admitted how many jobs may run at once
     * @param live     what the last collections left, in bytes
     * @param max      the largest size of the heap, in bytes
     * @param lowered  how often the limit was lowered
     * @param raised   how often the limit was raised
     * @param last     the last change in words; null if there was none
     */
    public record View(
            int admitted,
            long live,
            long max,
            long lowered,
            long raised,
            @Nullable String last) {}

    /** @param heap read at each turn */
    public HeapGuard(HeapLimits limits, Supplier<Heap> heap, InstantSource time, Gate gate) {
        this.limits = limits;
        this.total = gate.total();
        this.heap = heap;
        this.time = time;
        this.gate = gate;
        int first = Math.min(limits.first(), total);
        gate.admit(first);
        this.view = new View(first, 0, heap.get().max(), 0, 0, null);
        // count from here and not from the first turn, so that jobs that end before it count too
        HeapStep.Look look = look();
        this.state = HeapStep.State.first(first, look);
    }

    /** Looks at the heap and adjusts the limit. */
    public Duration turn() {
        int admitted = view.admitted;
        HeapStep.Look look = look();
        HeapStep.Decision decision = HeapStep.after(state, look, limits, total);
        state = decision.state();
        int now = decision.state().admitted();
        if (now != admitted) {
            gate.admit(now);
        }
        show(admitted, now, look, decision.why());
        return Duration.ofMillis(LOOK_MILLIS);
    }

    private HeapStep.Look look() {
        return new HeapStep.Look(
                heap.get(),
                gate.running(),
                gate.ended(),
                gate.ranOut(),
                gate.running() >= view.admitted || gate.isAnyWaiting(),
                time.millis());
    }

    private void show(int before, int now, HeapStep.Look look, @Nullable String why) {
        boolean lowered = why != null && now < before;
        boolean raised = why != null && now > before;
        view = new View(
                now,
                look.heap().live(),
                look.heap().max(),
                view.lowered + (lowered ? 1 : 0),
                view.raised + (raised ? 1 : 0),
                why == null ? view.last : why);
        if (why == null) {
            return;
        }
        Long last = lowered ? loweringAt : loggedAt;
        if (last != null && look.millis() - last < (lowered ? LOWERINGS_MILLIS : RAISES_MILLIS)) {
            unlogged++;
            return;
        }
        loggedAt = look.millis();
        loweringAt = lowered ? loggedAt : loweringAt;
        LOG.info(
                "Heap guard: the limit of jobs that run at once was {}{}.",
                why,
                unlogged == 0 ? "" : " (" + unlogged + " earlier changes were not logged)");
        unlogged = 0;
    }

    /** The guard's current state. */
    public View view() {
        return view;
    }
}
