package dev.treadle.admission;

import org.jspecify.annotations.Nullable;

/**
 * Decides how many jobs may run at once so that the heap is large enough. The limit starts low and doubles at each look while
 * little of the heap is used, up to a number for which the heap is assumed to be large enough. After that it is raised each
 * time that as many jobs as may run have ended and the live set has stayed small: to the number that fits at the need per
 * job seen so far, and by at least half. It is lowered at once, in proportion, when a collection leaves too much; and it is
 * lowered again when it has not been used. Pure: it has no clock and asks no JVM.
 */
public final class HeapStep {
    /** After this many collections since a change the live share counts as known, even if none came at the peak. */
    static final int COLLECTIONS_MIN = 3;
    /** After an OutOfMemoryError the limit is divided by this. */
    private static final int RAN_OUT_PART = 4;
    /** The need per job that was seen is multiplied by this, because collections may have missed the peak. */
    private static final double NEED_FACTOR = 2;
    /** One raise multiplies the limit by at most this. */
    private static final int RAISE_FACTOR_MAX = 8;

    /** When few jobs have run for this long, a higher limit is no longer justified, in milliseconds. */
    static final long IDLE_MILLIS = 2_000;

    private HeapStep() {}

    /**
     * What is remembered between two looks.
     *
     * @param admitted  how many jobs may run at once
     * @param since     when that was last decided or confirmed, in milliseconds
     * @param then      the counts at that time
     * @param peak      the largest share of the heap that a collection left since then; negative if there was none
     * @param used      the largest share in use at a look since then, an upper limit of what was live
     * @param wanted    whether there were more jobs than could run since then
     * @param seen      the counts at the last look
     * @param busiest   the highest number of running jobs at a look since {@code idleSince}
     * @param idleSince when the current period of measuring {@code busiest} began, in milliseconds
     * @param opening   whether the limit is raised without waiting for jobs to end, up to {@link HeapLimits#unproven}
     * @param base      the smallest share that was ever live, taken as the need without any job
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
        /** The state before the first look. */
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

        /** The same state with the period of measuring {@code busiest} kept. */
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

    /** Counters: ended attempts, those with an OutOfMemoryError, collections, and collections that covered all parts. */
    public record Counts(long ended, long ranOut, long collections, long thorough) {}

    /**
     * One observation.
     *
     * @param running how many jobs are running
     * @param ended   how many attempts have ended so far
     * @param ranOut  how many of them ended with an OutOfMemoryError
     * @param wanted  whether there are more jobs than may run
     * @param millis  the time, in milliseconds since any fixed moment
     */
    public record Look(Heap heap, int running, long ended, long ranOut, boolean wanted, long millis) {
        /** The counters of this observation. */
        public Counts counts() {
            return new Counts(ended, ranOut, heap.collections(), heap.thorough());
        }
    }

    /** @param why the reason, for the log; null if there is nothing to log */
    public record Decision(State state, @Nullable String why) {}

    /** @param total the highest limit */
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
            // jobs that come after an idle time may need more or less than those before it
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
        // while more jobs run than may, the last lowering has had no effect yet
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

    /** Whether the need of the admitted jobs is known. */
    private static boolean isOver(State state, Look look, HeapLimits limits) {
        boolean ran = isSettled(state, look, limits) || look.ended - state.then.ended >= state.admitted;
        return ran && (state.used < limits.raiseBelow() || isSeen(state, look, limits));
    }

    private static boolean isSettled(State state, Look look, HeapLimits limits) {
        return look.millis - state.since >= limits.settleMillis();
    }

    /** Whether there were enough collections to know what is live. */
    private static boolean isSeen(State state, Look look, HeapLimits limits) {
        long collections = look.heap.collections() - state.then.collections;
        return collections >= (isSettled(state, look, limits) ? 1 : COLLECTIONS_MIN);
    }

    /** Whether the running jobs fit so far; memory that they take later is not known yet. */
    private static boolean isRoomy(State state, Look look, HeapLimits limits) {
        boolean collected = look.heap.collections() > state.then.collections;
        return state.used < limits.raiseBelow() || collected && state.peak < limits.raiseBelow();
    }

    private static Decision opened(State state, Look look, int unproven) {
        int to = (int) Math.min(unproven, 2L * state.admitted);
        String why = to == unproven ? "opened to " + to + " before any job has ended" : null;
        return new Decision(state.anew(to, look, true), why);
    }

    private static Decision raised(State state, Look look, HeapLimits limits, int total) {
        // without enough collections, everything that is used could be live
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

    /** How many more jobs would fit at the need per job seen so far. */
    private static long room(State state, HeapLimits limits, double share) {
        int ran = Math.max(1, Math.min(state.busiest, state.admitted));
        double each = Math.max(0, share - state.base) / ran;
        long most = (RAISE_FACTOR_MAX - 1L) * state.admitted;
        // if jobs need nothing, the quotient is infinite and the minimum applies
        return (long) Math.min(most, (limits.raiseBelow() - share) / (NEED_FACTOR * each));
    }

    private static String percent(double share) {
        return Math.round(100 * share) + " %";
    }
}
