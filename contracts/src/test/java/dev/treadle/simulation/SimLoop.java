package dev.treadle.simulation;

import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One chore of a node and when its rest ends, with the rests after failures that the real loop has. */
final class SimLoop {
    private static final long BACKOFF_MILLIS_MIN = 100;
    private static final long BACKOFF_MILLIS_MAX = 5_000;

    /** More turns in a row without a rest than there can be work for. */
    private static final int RESTLESS_MAX = 100;

    private final String name;
    private @Nullable Supplier<Duration> turn;
    private boolean busy;
    private boolean nudged;
    private boolean ended;
    private int failures;
    private int restless;
    private long dueNanos;

    SimLoop(String name) {
        this.name = name;
    }

    void start(Supplier<Duration> turn) {
        this.turn = turn;
    }

    void nudge(long now) {
        nudged = true;
        if (!busy && failures == 0) {
            dueNanos = Math.min(dueNanos, now);
        }
    }

    void end() {
        ended = true;
    }

    boolean isBusy() {
        return busy;
    }

    /** Whether a turn could be taken at a moment. */
    boolean isDue(long moment) {
        return !busy && !ended && dueNanos <= moment;
    }

    /** When its rest ends; {@link Long#MAX_VALUE} if no turn can be taken then. */
    long restEnds() {
        return busy || ended ? Long.MAX_VALUE : dueNanos;
    }

    /** Takes one turn. */
    void take(SimTime time, double rate, SimNode node, Notes notes) {
        busy = true;
        nudged = false;
        try {
            long rest = turn.get().toNanos();
            notes.demand(
                    rest >= 0, Invariant.CALLS_KEEP_THE_CONTRACT, () -> name + " wants to rest for " + rest + " ns");
            restless = rest == 0 ? restless + 1 : 0;
            notes.demand(
                    restless <= RESTLESS_MAX,
                    Invariant.WHOEVER_FINDS_NOTHING_RESTS,
                    () -> name + " of " + node.name() + " did not rest for " + restless + " turns");
            failures = 0;
            dueNanos = time.nanos() + (nudged ? 0 : (long) (rest / rate));
        } catch (StorageAway away) {
            long backoff = Math.min(BACKOFF_MILLIS_MAX, BACKOFF_MILLIS_MIN << Math.min(failures, 10));
            failures++;
            dueNanos = time.nanos() + backoff * 1_000_000;
        } catch (SimulatedCrash crash) {
            ended = true;
        } catch (RuntimeException e) {
            throw notes.broken(Invariant.TURNS_FAIL_ONLY_BY_THE_STORAGE, name + " of " + node.name() + " threw " + e);
        } finally {
            busy = false;
        }
    }
}
