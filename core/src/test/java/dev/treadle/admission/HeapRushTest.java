package dev.treadle.admission;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Jobs that all fit into the heap, in a simulation: they wait for something, then need a core. A guard that lets them in
 * one by one leaves the cores idle; what it may cost is bounded here.
 */
class HeapRushTest {
    private static final int WORKERS = 1_000;
    private static final int JOBS = 2_000;
    private static final int CORES = 2;
    private static final int STEP_MILLIS = 10;
    private static final int KIB = 1_024;
    private static final int MIB = 1_024 * KIB;
    private static final long MILLIS_MAX = 3_600_000;

    /** A node, its cores and its heap. */
    private static final class World implements HeapGuard.Gate {
        private final Random random = new Random(1);
        private final long heap;
        private final long base;
        private final long held;
        private final int waitMillis;
        private final int renderMillis;
        private final long garbagePerJob;

        private final Queue<Integer> waiting = new ArrayDeque<>();
        /** When the time clock answers each of those that run and wait for it. */
        private final List<Long> asking = new ArrayList<>();

        private int ready;
        private final long[] coreFreeAt = new long[CORES];
        private int rendering;
        private long millis;
        private long ended;
        private int admitted = WORKERS;
        private long garbage;
        private long collections;
        private long liveThen;
        private boolean burst;

        World(int heapMegabytes, int baseMegabytes, int heldKilobytes, int waitMillis, int renderMillis) {
            this.heap = heapMegabytes * (long) MIB;
            this.base = baseMegabytes * (long) MIB;
            this.held = heldKilobytes * (long) KIB;
            this.waitMillis = waitMillis;
            this.renderMillis = renderMillis;
            this.garbagePerJob = 8L * MIB;
            this.liveThen = base;
            for (int i = 0; i < JOBS; i++) {
                waiting.add(i);
            }
        }

        void step() {
            millis += STEP_MILLIS;
            for (int core = 0; core < CORES; core++) {
                if (coreFreeAt[core] > 0 && coreFreeAt[core] <= millis) {
                    coreFreeAt[core] = 0;
                    rendering--;
                    ended++;
                }
            }
            int before = asking.size();
            asking.removeIf(at -> at <= millis);
            ready += before - asking.size();
            while (running() < admitted && !waiting.isEmpty()) {
                waiting.remove();
                asking.add(millis + waitMillis * 3L / 4 + random.nextInt(waitMillis / 2));
            }
            for (int core = 0; core < CORES && ready > 0; core++) {
                if (coreFreeAt[core] == 0) {
                    ready--;
                    rendering++;
                    coreFreeAt[core] = millis + renderMillis;
                }
            }
            garbage += rendering * garbagePerJob * STEP_MILLIS / renderMillis + 10 * KIB;
            if (live() + garbage > heap) {
                collections++;
                garbage = 0;
                liveThen = live();
                burst |= live() > heap;
            }
        }

        private long live() {
            return base + running() * held;
        }

        Heap look() {
            return new Heap(heap, Math.min(heap, live() + garbage), liveThen, liveThen, collections, collections);
        }

        boolean isIdle() {
            return waiting.isEmpty() && running() == 0;
        }

        @Override
        public int total() {
            return WORKERS;
        }

        @Override
        public int running() {
            return asking.size() + ready + rendering;
        }

        @Override
        public long ended() {
            return ended;
        }

        @Override
        public long ranOut() {
            return 0;
        }

        @Override
        public boolean isAnyWaiting() {
            return !waiting.isEmpty();
        }

        @Override
        public void admit(int jobs) {
            admitted = jobs;
        }
    }

    @ParameterizedTest
    @CsvSource({
        // salary slips, and about what they hold
        "64, 20, 10, 4000, 50, 5",
        "110, 20, 10, 4000, 50, 5",
        "4096, 20, 10, 4000, 50, 5",
        "256, 40, 64, 4000, 50, 5",
        "512, 60, 100, 200, 20, 5",
        // two generations of jobs that hardly do anything but wait: what they need is known when the first have ended
        "64, 20, 10, 10000, 10, 160",
    })
    void jobs_that_all_fit_take_hardly_longer_under_the_guard(
            int heap, int base, int held, int wait, int render, int percentLonger) {
        World free = new World(heap, base, held, wait, render);
        run(free, null);
        World world = new World(heap, base, held, wait, render);
        HeapLimits limits = new HeapLimits(0.70, 0.55, 0.45, CORES, heap * 2, 10_000);
        run(world, new HeapGuard(limits, world::look, () -> Instant.ofEpochMilli(world.millis), world));

        assertFalse(free.burst, "all fit");
        assertTrue(
                100 * world.millis <= (100 + percentLonger) * free.millis,
                () -> world.millis + " ms under the guard, " + free.millis + " ms without");
    }

    private static void run(World world, HeapGuard guard) {
        while (!world.isIdle() && world.millis < MILLIS_MAX) {
            world.step();
            if (guard != null && world.millis % HeapGuard.LOOK_MILLIS == 0) {
                guard.turn();
            }
        }
        assertTrue(world.isIdle(), "all end");
    }
}
