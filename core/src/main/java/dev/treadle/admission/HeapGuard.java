package dev.treadle.admission;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at the heap and admits as many jobs as it bears, by {@link HeapStep}. One thread takes turns; any may ask. */
public final class HeapGuard {
    /** How often it looks, in milliseconds. */
    static final long LOOK_MILLIS = 100;
    /** No line about a raise for this long after another line, in milliseconds. */
    static final long RAISES_MILLIS = 10_000;
    /** No line about a lowering for this long after another line about one, in milliseconds. */
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
    private int unsaid;
    private volatile View view;

    /** What lets jobs run. */
    public interface Gate {
        /** How many jobs may run at most. */
        int total();

        /** How many run. */
        int running();

        /** How many have ended so far. */
        long ended();

        /** How many of those with an OutOfMemoryError. */
        long ranOut();

        /** Whether some wait for a permit. */
        boolean isAnyWaiting();

        /** Lets so many run at once from now on; those that run go on. */
        void admit(int jobs);
    }

    /**
     * What it did.
     *
     * @param admitted how many jobs may run
     * @param live     what the last collections left, in bytes
     * @param max      what the heap may become, in bytes
     * @param lowered  how often fewer were admitted
     * @param raised   how often more were
     * @param last     the last of that, for people
     */
    public record View(
            int admitted,
            long live,
            long max,
            long lowered,
            long raised,
            @Nullable String last) {}

    /** @param heap asked at each turn */
    public HeapGuard(HeapLimits limits, Supplier<Heap> heap, InstantSource time, Gate gate) {
        this.limits = limits;
        this.total = gate.total();
        this.heap = heap;
        this.time = time;
        this.gate = gate;
        int first = Math.min(limits.first(), total);
        gate.admit(first);
        this.view = new View(first, 0, heap.get().max(), 0, 0, null);
        // from here on, and not from the first turn: what ends before that counts too
        HeapStep.Look look = look();
        this.state = HeapStep.State.first(first, look);
    }

    /** Looks once. */
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
            unsaid++;
            return;
        }
        loggedAt = look.millis();
        loweringAt = lowered ? loggedAt : loweringAt;
        LOG.info(
                "The heap guard has the jobs that run at once {}{}.",
                why,
                unsaid == 0 ? "" : " (and " + unsaid + " changes before it)");
        unsaid = 0;
    }

    /** How it stands. */
    public View view() {
        return view;
    }
}
