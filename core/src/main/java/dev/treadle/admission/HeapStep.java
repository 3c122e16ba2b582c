package dev.treadle.admission;

import org.jspecify.annotations.Nullable;

/**
 * Decides how many jobs the heap bears. At first it admits a few and doubles that at each look at which the heap has
 * stayed small, up to a number for which room is assumed. From there it grows each time that as many jobs as may run
 * have run to their end and the live set has stayed small: to what fits at the need that they have shown, and by half
 * at least. It shrinks at once, and in proportion, when a collection leaves too much; and what was admitted and is not
 * used is forgotten. Pure: no clock, no JVM.
 */
public final class HeapStep {
    /** So many collections since a change show what is live, although none came when most was. */
    static final int COLLECTIONS_MIN = 3;
    /** What is left of what was admitted when memory ran out: one in so many. */
    private static final int RAN_OUT_PART = 4;
    /** What jobs have shown that they need is taken so many times: collections may have missed when they held most. */
    private static final double NEED_FACTOR = 2;
    /** The most by which one raise multiplies what is admitted. */
    private static final int RAISE_FACTOR_MAX = 8;

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
     * @param opening  whether more are let in without waiting for any to end, up to {@link HeapLimits#unproven}
     * @param base     the least share that was ever live: what is there without any job is no less
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
            long idleSince,
            boolean opening,
            double base) {
        /** Before the first look. */
        public static State first(int admitted, Look look) {
            return new State(
                    admitted,
                    look.millis,
                    look.counts(),
                    -1,
                    0,
                    false,
                    look.counts(),
                    0,
                    look.millis,
                    true,
                    look.heap.collections() == 0 ? 0 : look.heap.liveShare());
        }

        private State anew(int admitted, Look look, boolean opening) {
            return new State(
                    admitted,
                    look.millis,
                    look.counts(),
                    -1,
                    0,
                    false,
                    look.counts(),
                    look.running,
                    look.millis,
                    opening,
                    base);
        }

        /** The same, still waiting for the same rest. */
        private State restingSince(State before) {
            return new State(
                    admitted, since, then, peak, used, wanted, seen, before.busiest, before.idleSince, opening, base);
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
                    over ? look.millis : idleSince,
                    opening,
                    Math.min(base, look.heap.liveShare()));
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
                    state.anew(to, look, false),
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
        int unproven = Math.min(limits.unproven(), total);
        if (seen.opening && look.wanted && seen.admitted < unproven && isRoomy(seen, look, limits)) {
            return opened(seen, look, unproven);
        }
        if (look.millis - state.idleSince >= IDLE_MILLIS) {
            // who comes after a rest may need more than who was there before it, or less
            if (state.busiest == 0 && look.running == 0) {
                return new Decision(seen.anew(Math.min(limits.first(), total), look, true), null);
            }
            if (2L * Math.max(state.busiest, look.running) < state.admitted && state.admitted > limits.first()) {
                int fewer = Math.max(limits.first(), state.admitted / 2);
                return new Decision(seen.anew(fewer, look, seen.opening), null);
            }
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
                state.anew(to, look, false),
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

    /** Whether what is admitted fits as far as can be seen while it runs: memory that it takes later is not seen. */
    private static boolean isRoomy(State state, Look look, HeapLimits limits) {
        boolean collected = look.heap.collections() > state.then.collections;
        return state.used < limits.raiseBelow() || collected && state.peak < limits.raiseBelow();
    }

    private static Decision opened(State state, Look look, int unproven) {
        int to = (int) Math.min(unproven, 2L * state.admitted);
        String why = to == unproven ? "opened to " + to + "; none of them needs to have ended" : null;
        return new Decision(state.anew(to, look, true), why);
    }

    private static Decision raised(State state, Look look, HeapLimits limits, int total) {
        // of what no collection has shown, all that is used could be live
        double share = isSeen(state, look, limits) ? state.peak : state.used;
        boolean fits = share < limits.raiseBelow();
        if (!state.wanted || !fits || state.admitted >= total) {
            State anew = state.anew(state.admitted, look, state.opening && fits);
            return new Decision(anew.restingSince(state), null);
        }
        int more = share < limits.raiseBelow() / 2 ? state.admitted : Math.max(1, state.admitted / 2);
        int to = (int) Math.min(total, state.admitted + Math.max(more, room(state, limits, share)));
        return new Decision(
                state.anew(to, look, state.opening),
                "raised from " + state.admitted + " to " + to + ": at most " + percent(share)
                        + " of the heap was live");
    }

    /** How many more would fit at the need that those have shown that ran. */
    private static long room(State state, HeapLimits limits, double share) {
        int ran = Math.max(1, Math.min(state.busiest, state.admitted));
        double each = Math.max(0, share - state.base) / ran;
        long most = (RAISE_FACTOR_MAX - 1L) * state.admitted;
        // where nothing is needed the quotient is infinite, which is the most there is
        return (long) Math.min(most, (limits.raiseBelow() - share) / (NEED_FACTOR * each));
    }

    private static String percent(double share) {
        return Math.round(100 * share) + " %";
    }
}
