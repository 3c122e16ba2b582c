package dev.treadle.admission;

import org.jspecify.annotations.Nullable;

/**
 * Decides how many jobs the heap bears: what is admitted grows from a few, by half or to the double, each time that as
 * many jobs as may run have run to their end and the live set has stayed small; it shrinks at once, and in proportion,
 * when a collection leaves too much; and what was admitted and is not used is forgotten. Pure: no clock, no JVM.
 */
public final class HeapStep {
    /** So many collections since a change show what is live, although none came when most was. */
    static final int COLLECTIONS_MIN = 3;
    /** What is left of what was admitted when memory ran out: one in so many. */
    private static final int RAN_OUT_PART = 4;

    /** Over how long what runs must have been few for more not to be believed any longer, in milliseconds. */
    static final long IDLE_MILLIS = 2_000;

    private HeapStep() {}

    /**
     * What is remembered between two looks.
     *
     * @param admitted how many jobs may run
     * @param since    when that was last decided or confirmed, in milliseconds
     * @param then     what had been counted then
     * @param peak     the greatest share of the heap that a collection left since then; negative if there was none
     * @param used     the greatest share that was used at a look since then, which bounds what was live
     * @param wanted   whether more were there than might run since then
     * @param seen     what had been counted at the last look
     * @param busiest  most jobs that ran at a look since {@code idleSince}
     */
    public record State(
            int admitted,
            long since,
            Counts then,
            double peak,
            double used,
            boolean wanted,
            Counts seen,
            int busiest,
            long idleSince) {
        /** Before the first look. */
        public static State first(int admitted, long millis, Counts now) {
            return new State(admitted, millis, now, -1, 0, false, now, 0, millis);
        }

        private State anew(int admitted, Look look) {
            return new State(
                    admitted, look.millis, look.counts(), -1, 0, false, look.counts(), look.running, look.millis);
        }

        private State seeing(Look look) {
            boolean collected = look.heap.collections() > seen.collections;
            boolean over = look.millis - idleSince >= IDLE_MILLIS;
            return new State(
                    admitted,
                    since,
                    then,
                    collected ? Math.max(peak, look.heap.atMostShare()) : peak,
                    Math.max(used, look.heap.usedShare()),
                    wanted || look.wanted,
                    look.counts(),
                    over ? look.running : Math.max(busiest, look.running),
                    over ? look.millis : idleSince);
        }
    }

    /** What only grows: jobs that ended, those of them for which memory ran out, collections, and those that left out nothing. */
    public record Counts(long ended, long ranOut, long collections, long thorough) {}

    /**
     * How things stand.
     *
     * @param running how many jobs run
     * @param ended   how many have ended so far
     * @param ranOut  how many of them with an OutOfMemoryError
     * @param wanted  whether there is more to run than may
     * @param millis  the time, in milliseconds from anywhere
     */
    public record Look(Heap heap, int running, long ended, long ranOut, boolean wanted, long millis) {
        /** What only grows. */
        public Counts counts() {
            return new Counts(ended, ranOut, heap.collections(), heap.thorough());
        }
    }

    /** @param why for people; null if nothing is worth a word */
    public record Decision(State state, @Nullable String why) {}

    /** @param total the most that may ever be admitted */
    public static Decision after(State state, Look look, HeapLimits limits, int total) {
        if (look.ranOut > state.seen.ranOut && state.admitted > 1) {
            int to = Math.max(1, state.admitted / RAN_OUT_PART);
            return new Decision(
                    state.anew(to, look),
                    "lowered from " + state.admitted + " to " + to + ": a job ended with an OutOfMemoryError");
        }
        double live = look.heap.liveShare();
        boolean fresh = look.heap.thorough() > state.seen.thorough;
        if (fresh && live > limits.lowerAbove() && state.admitted > 1) {
            return lowered(state, look, limits, live);
        }
        State seen = state.seeing(look);
        if (isOver(seen, look, limits)) {
            return raised(seen, look, limits, total);
        }
        boolean idle = look.millis - state.idleSince >= IDLE_MILLIS
                && 2L * Math.max(state.busiest, look.running) < state.admitted;
        if (idle && state.admitted > limits.first()) {
            // who comes after a rest may need more than who was there before it
            boolean rested = state.busiest == 0 && look.running == 0;
            int fewer = rested ? limits.first() : Math.max(limits.first(), state.admitted / 2);
            return new Decision(seen.anew(Math.min(fewer, state.admitted), look), null);
        }
        return new Decision(seen, null);
    }

    private static Decision lowered(State state, Look look, HeapLimits limits, double live) {
        // while more run than may, the last lowering has not shown its effect yet
        boolean shown = look.running <= state.admitted;
        boolean desperate = live > (1 + limits.lowerAbove()) / 2;
        if (!shown && !desperate) {
            return new Decision(state.seeing(look), null);
        }
        int running = Math.max(1, Math.min(look.running, state.admitted));
        int borne = shown ? (int) (running * limits.lowerTo() / live) : 1;
        int to = Math.max(1, Math.min(borne, state.admitted - 1));
        return new Decision(
                state.anew(to, look),
                "lowered from " + state.admitted + " to " + to + ": " + percent(live)
                        + " of the heap is live after a collection, more than " + percent(limits.lowerAbove()));
    }

    /** Whether what is admitted has shown what it needs. */
    private static boolean isOver(State state, Look look, HeapLimits limits) {
        boolean ran = isSettled(state, look, limits) || look.ended - state.then.ended >= state.admitted;
        return ran && (state.used < limits.raiseBelow() || isSeen(state, look, limits));
    }

    private static boolean isSettled(State state, Look look, HeapLimits limits) {
        return look.millis - state.since >= limits.settleMillis();
    }

    /** Whether enough collections have shown what is live. */
    private static boolean isSeen(State state, Look look, HeapLimits limits) {
        long collections = look.heap.collections() - state.then.collections;
        return collections >= (isSettled(state, look, limits) ? 1 : COLLECTIONS_MIN);
    }

    private static Decision raised(State state, Look look, HeapLimits limits, int total) {
        // of what no collection has shown, all that is used could be live
        double share = isSeen(state, look, limits) ? state.peak : state.used;
        if (!state.wanted || share >= limits.raiseBelow() || state.admitted >= total) {
            State anew = state.anew(state.admitted, look);
            return new Decision(
                    new State(
                            anew.admitted,
                            anew.since,
                            anew.then,
                            anew.peak,
                            anew.used,
                            anew.wanted,
                            anew.seen,
                            state.busiest,
                            state.idleSince),
                    null);
        }
        int more = share < limits.raiseBelow() / 2 ? state.admitted : Math.max(1, state.admitted / 2);
        int to = Math.min(total, state.admitted + more);
        return new Decision(
                state.anew(to, look),
                "raised from " + state.admitted + " to " + to + ": at most " + percent(share)
                        + " of the heap was live");
    }

    private static String percent(double share) {
        return Math.round(100 * share) + " %";
    }
}
