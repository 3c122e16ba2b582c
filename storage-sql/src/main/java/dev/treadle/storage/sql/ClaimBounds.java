package dev.treadle.storage.sql;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

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

    /** By their lanes. */
    Map<Integer, ClaimBound> all() {
        return bounds;
    }

    void goBack() {
        bounds.values().forEach(ClaimBound::goBack);
    }
}
