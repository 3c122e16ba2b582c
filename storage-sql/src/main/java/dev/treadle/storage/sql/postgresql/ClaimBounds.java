package dev.treadle.storage.sql.postgresql;

import dev.treadle.storage.sql.postgresql.ClaimBound.Segment;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Where the next claim from each lane begins. Thread-safe. */
final class ClaimBounds {
    private final LongSupplier nanoTime;
    private final Map<Integer, ClaimBound> bounds = new ConcurrentHashMap<>();

    ClaimBounds(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    ClaimBound of(int lane) {
        ClaimBound bound = bounds.get(lane);
        return bound != null ? bound : bounds.computeIfAbsent(lane, unseen -> new ClaimBound(nanoTime));
    }

    /** A segment of a lane's way; {@code place} counts them. */
    record Step(int lane, int place, Segment segment) {}

    /** The ways of one look at all known lanes. */
    record Look(Map<Integer, ClaimBound.Way> ways, List<Step> steps) {}

    Look look() {
        Map<Integer, ClaimBound.Way> ways = new TreeMap<>();
        List<Step> steps = new ArrayList<>();
        bounds.forEach((lane, bound) -> {
            ClaimBound.Way way = bound.way();
            ways.put(lane, way);
            int place = 0;
            for (Segment segment : way.segments()) {
                steps.add(new Step(lane, place++, segment));
            }
        });
        return new Look(ways, steps);
    }

    /**
     * What a look has found.
     *
     * @param priorities of the first job of each lane; null where there was none
     * @return whether another look has to be taken at what stands before the tail of a lane
     */
    boolean looked(Look look, Map<Integer, @Nullable Integer> priorities, @Nullable OffsetDateTime now) {
        boolean again = false;
        for (Map.Entry<Integer, @Nullable Integer> found : priorities.entrySet()) {
            ClaimBound bound = of(found.getKey());
            ClaimBound.Way way = look.ways.get(found.getKey());
            Integer priority = found.getValue();
            if (priority != null) {
                bound.learn(priority);
                if (way != null) {
                    bound.walked(way);
                }
            } else if (way != null && way.kind() == ClaimBound.Kind.TAIL) {
                bound.stepBack();
                again = true;
            } else if (way != null && now != null) {
                bound.foundAll(way, now);
            }
        }
        return again;
    }

    /** Rows were put that came due then. */
    void goBackTo(OffsetDateTime dueAt) {
        bounds.values().forEach(bound -> bound.goBackTo(dueAt));
    }

    /** A transaction that began then has put rows. */
    void committedLate(OffsetDateTime began) {
        bounds.values().forEach(bound -> bound.committedLate(began));
    }

    /** Rows were put that came due now, or nearly. */
    void stepBack() {
        bounds.values().forEach(ClaimBound::stepBack);
    }
}
