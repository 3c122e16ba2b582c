package dev.treadle.server;

import dev.treadle.admission.HeapGuard;
import dev.treadle.admission.JvmHeap;
import dev.treadle.admission.Resources;
import dev.treadle.job.JobTraits;
import java.time.InstantSource;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What jobs use that there is not enough of for all that could run. Immutable.
 *
 * @param resources how many permits there are of each, in the order in which a job that holds one may ask for others
 * @param heapGuard admits fewer jobs when the heap fills up; null for as many as there are workers
 */
public record AdmissionSettings(
        Map<String, Integer> resources, @Nullable HeapGuardSettings heapGuard) {
    /** Most permits of one resource. */
    public static final int PERMITS_MAX = 1_000_000;

    private static final long MEGABYTE = 1 << 20;

    /** Nothing is counted, and nothing guards the heap. */
    public static final AdmissionSettings NONE = new AdmissionSettings(Map.of(), null);

    /** @throws IllegalArgumentException naming what is out of range and its range */
    public AdmissionSettings {
        resources.forEach((name, permits) -> {
            JobTraits.DEFAULT.withUses(name);
            if (permits < 1 || permits > PERMITS_MAX) {
                throw new IllegalArgumentException("The resource '" + name + "' has " + permits
                        + " permits and must have 1 to " + PERMITS_MAX + ".");
            }
        });
        resources = Collections.unmodifiableMap(new LinkedHashMap<>(resources));
    }

    /**
     * These and one more.
     *
     * @throws IllegalArgumentException if it is there already
     */
    public AdmissionSettings withResource(String name, int permits) {
        Map<String, Integer> all = new LinkedHashMap<>(resources);
        if (all.putIfAbsent(name, permits) != null) {
            throw new IllegalArgumentException("The resource '" + name + "' is declared twice. Declare it once.");
        }
        return new AdmissionSettings(all, heapGuard);
    }

    /** The same with a guard over the heap, or null for none. */
    public AdmissionSettings withHeapGuard(@Nullable HeapGuardSettings heapGuard) {
        return new AdmissionSettings(resources, heapGuard);
    }

    /** These and those of another. */
    AdmissionSettings and(AdmissionSettings other) {
        AdmissionSettings both = this;
        for (Map.Entry<String, Integer> one : other.resources.entrySet()) {
            both = both.withResource(one.getKey(), one.getValue());
        }
        return other.heapGuard == null ? both : both.withHeapGuard(other.heapGuard);
    }

    Resources permits() {
        long half = Runtime.getRuntime().maxMemory() / 2 / MEGABYTE;
        return new Resources(resources, (int) Math.max(1, Math.min(PERMITS_MAX, half)));
    }

    @Nullable
    HeapGuard guard(HeapGuard.Gate gate, InstantSource time) {
        if (heapGuard == null) {
            return null;
        }
        JvmHeap heap = new JvmHeap();
        Runtime jvm = Runtime.getRuntime();
        return new HeapGuard(
                heapGuard.limits(jvm.availableProcessors(), heap.look().max()), heap::look, time, gate);
    }
}
