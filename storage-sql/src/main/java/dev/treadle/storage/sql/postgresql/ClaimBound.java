package dev.treadle.storage.sql.postgresql;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the next claim from a lane begins, so that it does not walk over the dead rows and index entries of everything
 * claimed before, which stay as long as any transaction of the database holds the horizon.
 *
 * <p>For each priority it remembers up to when everything was taken. A claim that came back full continues exactly
 * where it ended. All others begin {@link #LATE} earlier, because a row may commit later than its time. Priorities that
 * were never seen here are looked at as a whole. What commits later than that, or was due long before it came, is found
 * by a look from the very beginning, as often as {@link ScanPacer} allows. Thread-safe: what a claim has found counts
 * only if no other thread has changed the bound since.
 */
public final class ClaimBound {
    /** How late a row may commit and still be found by the next claim. */
    static final Duration LATE = Duration.ofSeconds(5);
    /** What came due so shortly before the last claim's end is left to the regular looks. */
    private static final Duration NEARLY = Duration.ofMillis(200);
    /** Most priorities that are remembered for one lane; the others are looked at as a whole. */
    static final int PRIORITIES_MAX = 32;

    /** The driver sends this time as -infinity. */
    static final OffsetDateTime EVER = OffsetDateTime.MIN;

    private static final UUID FIRST_ID = new UUID(0, 0);
    /** Of nearly all jobs. */
    private static final int USUAL_PRIORITY = 0;

    private final LongSupplier nanoTime;
    /** From the very beginning. */
    private final ScanPacer beginnings;
    /** From {@link #LATE} before a full claim's end, which is walked over again. */
    private final ScanPacer steps;

    private final AtomicReference<State> state = new AtomicReference<>(State.NOTHING);

    ClaimBound(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.beginnings = new ScanPacer(nanoTime);
        this.steps = new ScanPacer(nanoTime);
    }

    /**
     * What is known.
     *
     * @param taken up to when everything of a priority was taken
     * @param tail  where the last claim ended, if it came back full
     */
    private record State(
            TreeMap<Integer, OffsetDateTime> taken,
            @Nullable Position tail) {
        static final State NOTHING = new State(new TreeMap<>(Map.of(USUAL_PRIORITY, EVER)), null);
    }

    /** A place in the order in which jobs are claimed. */
    record Position(int priority, OffsetDateTime runAt, UUID job) {}

    /** Rows from a position on, up to the end of a priority. */
    record Segment(Position from, int lastPriority) {}

    /** Where a claim begins. */
    enum Kind {
        /** With everything there is. */
        BEGINNING,
        /** A little before what was taken. */
        STEP_BACK,
        /** Exactly where the last claim ended. */
        TAIL
    }

    /**
     * A claim's way, in the order of the segments.
     *
     * @param seen the state that it was made from
     */
    record Way(List<Segment> segments, Kind kind, Object seen, long beganNanos) {}

    /** The way of the next claim. */
    Way way() {
        State now = state.get();
        if (beginnings.isDue()) {
            return way(now, Kind.BEGINNING);
        }
        return way(now, now.tail != null && !steps.isDue() ? Kind.TAIL : Kind.STEP_BACK);
    }

    /** For a claim that found nothing behind the tail. */
    Way wayBack() {
        return way(state.get(), beginnings.isDue() ? Kind.BEGINNING : Kind.STEP_BACK);
    }

    private Way way(State from, Kind kind) {
        return new Way(segments(from, kind), kind, from, nanoTime.getAsLong());
    }

    private static List<Segment> segments(State state, Kind kind) {
        List<Segment> segments = new ArrayList<>();
        int next = Short.MIN_VALUE;
        if (kind != Kind.BEGINNING) {
            for (Map.Entry<Integer, OffsetDateTime> known : state.taken.entrySet()) {
                int priority = known.getKey();
                if (next < priority) {
                    segments.add(new Segment(new Position(next, EVER, FIRST_ID), priority - 1));
                }
                segments.add(new Segment(from(state, kind, priority, known.getValue()), priority));
                next = priority + 1;
            }
        }
        if (next <= Short.MAX_VALUE) {
            segments.add(new Segment(new Position(next, EVER, FIRST_ID), Short.MAX_VALUE));
        }
        return segments;
    }

    private static Position from(State state, Kind kind, int priority, OffsetDateTime taken) {
        if (kind == Kind.TAIL && state.tail != null && state.tail.priority == priority) {
            return state.tail;
        }
        return new Position(priority, EVER.equals(taken) ? EVER : taken.minus(LATE), FIRST_ID);
    }

    /** A claim has taken all there was on its way. */
    void foundAll(Way way, OffsetDateTime now) {
        walked(way);
        State seen = (State) way.seen;
        TreeMap<Integer, OffsetDateTime> taken = new TreeMap<>();
        for (Integer priority : seen.taken.keySet()) {
            boolean wholly = way.kind != Kind.TAIL || seen.tail == null || seen.tail.priority != priority;
            taken.put(priority, wholly ? now : seen.tail.runAt);
        }
        replace(seen, taken, null, now);
    }

    /** A claim has come back full, with jobs of these priorities, the last one at that position. */
    void foundMany(Way way, Iterable<Integer> priorities, Position last, OffsetDateTime now) {
        walked(way);
        State seen = (State) way.seen;
        TreeMap<Integer, OffsetDateTime> taken = new TreeMap<>(seen.taken);
        for (Integer priority : priorities) {
            if (taken.size() < PRIORITIES_MAX) {
                taken.putIfAbsent(priority, EVER);
            }
        }
        // all that comes before was taken, but for what stood before the tail
        taken.headMap(last.priority)
                .replaceAll((priority, before) ->
                        way.kind == Kind.TAIL && seen.tail != null && seen.tail.priority == priority
                                ? seen.tail.runAt
                                : now);
        taken.computeIfPresent(last.priority, (priority, before) -> last.runAt);
        replace(seen, taken, taken.containsKey(last.priority) ? last : null, now);
    }

    /** Everything of the priority is claimed, or was looked at, up to its last position. */
    private void replace(
            State seen, TreeMap<Integer, OffsetDateTime> taken, @Nullable Position tail, OffsetDateTime now) {
        // a clock that was set back: jobs that become due from now on would be before the bound
        taken.replaceAll((priority, until) -> until.isAfter(now) ? EVER : until);
        state.compareAndSet(seen, new State(taken, tail));
    }

    /** A claim, or a look, has gone this way. */
    void walked(Way way) {
        switch (way.kind) {
            case BEGINNING -> {
                beginnings.looked(way.beganNanos);
                steps.looked(way.beganNanos);
            }
            case STEP_BACK -> steps.looked(way.beganNanos);
            case TAIL -> {}
        }
    }

    /** A priority has been seen. */
    void learn(int priority) {
        State before = state.get();
        if (!before.taken.containsKey(priority) && before.taken.size() < PRIORITIES_MAX) {
            TreeMap<Integer, OffsetDateTime> taken = new TreeMap<>(before.taken);
            taken.put(priority, EVER);
            state.compareAndSet(before, new State(taken, before.tail));
        }
    }

    /** Rows were put that came due then: the next claim finds them. */
    void goBackTo(OffsetDateTime dueAt) {
        state.updateAndGet(before -> {
            TreeMap<Integer, OffsetDateTime> taken = new TreeMap<>(before.taken);
            taken.replaceAll((priority, until) -> until.isAfter(dueAt) ? dueAt : until);
            return new State(taken, null);
        });
    }

    /**
     * A transaction that began then has put rows: the next claim finds them. Where the next claim looks there anyway,
     * nothing changes, because a claim that begins earlier walks over more dead rows.
     */
    void committedLate(OffsetDateTime began) {
        State now = state.get();
        boolean hidden = now.tail != null && began.plus(NEARLY).isBefore(now.tail.runAt);
        for (OffsetDateTime until : now.taken.values()) {
            hidden |= !EVER.equals(until) && began.plus(NEARLY).isBefore(until);
        }
        if (hidden) {
            goBackTo(began);
        }
    }

    /** Rows were put that came due now, or nearly: the next claim finds them. */
    void stepBack() {
        state.updateAndGet(before -> new State(before.taken, null));
    }
}
