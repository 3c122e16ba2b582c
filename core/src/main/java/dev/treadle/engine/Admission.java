package dev.treadle.engine;

import dev.treadle.admission.HeapGuard;
import dev.treadle.admission.HeapLimits;
import dev.treadle.admission.JvmHeap;
import dev.treadle.admission.Resources;
import dev.treadle.server.ConcurrencyLimit;
import dev.treadle.server.HeapGuardSettings;
import dev.treadle.server.JobServerSettings;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Makes the resources and the heap guard of a node from its settings. */
final class Admission {
    /** How much a job is assumed to need at most before any has ended, in bytes. */
    private static final long UNPROVEN_BYTES = 512 * 1024;

    private static final long MEGABYTE = 1 << 20;

    private Admission() {}

    static Resources resources(JobServerSettings settings) {
        long half = Runtime.getRuntime().maxMemory() / 2 / MEGABYTE;
        return new Resources(settings.resources(), (int) Math.max(1, Math.min(JobServerSettings.PERMITS_MAX, half)));
    }

    /** Null if the settings ask for no guard. */
    static @Nullable HeapGuard guard(JobServerSettings settings, HeapGuard.Gate gate, InstantSource time) {
        HeapGuardSettings guard = settings.heapGuard();
        if (guard == null) {
            return null;
        }
        JvmHeap heap = new JvmHeap();
        int cores = Runtime.getRuntime().availableProcessors();
        return new HeapGuard(limits(guard, cores, heap.look().max()), heap::look, time, gate);
    }

    private static HeapLimits limits(HeapGuardSettings guard, int cores, long heapMax) {
        int first = guard.first() == null ? cores : guard.first();
        long unproven =
                guard.unproven() == null ? Math.min(heapMax / UNPROVEN_BYTES, Integer.MAX_VALUE) : guard.unproven();
        return new HeapLimits(
                guard.lowerAbove(),
                guard.lowerTo(),
                guard.raiseBelow(),
                first,
                (int) Math.max(first, unproven),
                guard.settle().toMillis());
    }

    static ConcurrencyLimit limit(int workers, @Nullable HeapGuard guard) {
        if (guard == null) {
            return new ConcurrencyLimit(workers, workers, false, 0, 0, 0, 0, null);
        }
        HeapGuard.View view = guard.view();
        return new ConcurrencyLimit(
                workers, view.admitted(), true, view.live(), view.max(), view.lowered(), view.raised(), view.last());
    }
}
