package dev.treadle.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Bursts of jobs that hold memory, in a heap that is simulated: under a guard all of them end, without one it bursts. */
class HeapBurstsTest {
    private static final int WORKERS = 1_000;
    private static final HeapLimits LIMITS = new HeapLimits(0.70, 0.55, 0.45, 8, 64, 10_000);
    private static final int SEEDS = 300;
    private static final long MILLIS_MAX = 900_000;

    /** Holds memory from some time of its life on. */
    private static final class Job {
        final int size;
        final int holdsFrom;
        final int endsAfter;
        int age;

        Job(int size, int holdsFrom, int endsAfter) {
            this.size = size;
            this.holdsFrom = holdsFrom;
            this.endsAfter = endsAfter;
        }
    }

    /** A node and its heap; one step is 10 ms. */
    private static final class World implements HeapGuard.Gate {
        /** In units of which jobs hold some. */
        private static final int HEAP = 10_000;

        private static final int STEP_MILLIS = 10;
        private final Random random;
        private final Queue<Job> waiting = new ArrayDeque<>();
        private final List<Job> running = new ArrayList<>();
        /** Whether most collections leave out what is old, as those of Serial and Parallel do. */
        private final boolean generations;

        private long millis;
        private long ended;
        private int admitted = WORKERS;
        private long garbage;
        private long collections;
        private long thorough;
        private long liveThen;
        private long liveThoroughThen;
        private boolean burst;
        private int size;
        private boolean late;

        World(long seed, boolean generations) {
            this.random = new Random(seed);
            this.generations = generations;
        }

        /** Jobs after a rest are of another kind than those before it; all together need the heap many times over. */
        void turnToAnotherKind() {
            size = 20 + random.nextInt(80);
            late = random.nextBoolean();
        }

        void come(int jobs) {
            for (int i = 0; i < jobs; i++) {
                int life = 50 + random.nextInt(350);
                waiting.add(new Job(size / 2 + random.nextInt(size), late ? life / 2 : 0, life));
            }
        }

        void step() {
            millis += STEP_MILLIS;
            running.forEach(job -> job.age++);
            int before = running.size();
            running.removeIf(job -> job.age >= job.endsAfter);
            ended += before - running.size();
            while (running.size() < admitted && !waiting.isEmpty()) {
                running.add(waiting.remove());
            }
            garbage += running.size() * 4L + 5;
            if (live() + garbage > HEAP) {
                collect();
            }
        }

        private void collect() {
            collections++;
            garbage = 0;
            liveThen = live();
            if (!generations || collections % 8 == 0 || live() > HEAP * 3 / 4) {
                thorough++;
                liveThoroughThen = live();
            }
            burst |= live() > HEAP;
        }

        boolean isIdle() {
            return waiting.isEmpty() && running.isEmpty();
        }

        long live() {
            return running.stream()
                    .filter(job -> job.age >= job.holdsFrom)
                    .mapToLong(job -> job.size)
                    .sum();
        }

        Heap heap() {
            long known = generations ? liveThoroughThen : liveThen;
            return new Heap(HEAP, Math.min(HEAP, live() + garbage), known, liveThen, collections, thorough);
        }

        @Override
        public int total() {
            return WORKERS;
        }

        @Override
        public int running() {
            return running.size();
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

    @Test
    void under_the_guard_every_burst_comes_to_its_end_and_the_heap_never_overflows() {
        for (int seed = 0; seed < SEEDS; seed++) {
            World world = new World(seed, seed % 2 == 0);
            int came = run(world, true);
            assertFalse(world.burst, "seed " + seed);
            assertEquals(came, world.ended, "seed " + seed);
            assertTrue(world.millis < MILLIS_MAX, "seed " + seed + " took " + world.millis + " ms");
        }
    }

    @Test
    void without_it_the_same_bursts_overflow_the_heap() {
        int burst = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            World world = new World(seed, seed % 2 == 0);
            run(world, false);
            burst += world.burst ? 1 : 0;
        }
        assertEquals(SEEDS, burst);
    }

    /** How many jobs came. */
    private static int run(World world, boolean guarded) {
        HeapGuard guard = new HeapGuard(
                LIMITS, world::heap, () -> Instant.ofEpochMilli(world.millis), guarded ? world : new Blind(world));
        int came = 0;
        for (int burst = 0; burst < 6; burst++) {
            if (burst % 3 == 0) {
                rest(world, guard, 250 + world.random.nextInt(3_000));
                world.turnToAnotherKind();
            }
            int jobs = 200 + world.random.nextInt(1_000);
            world.come(jobs);
            came += jobs;
            while (!world.isIdle()) {
                step(world, guard);
                if (world.burst || world.millis > MILLIS_MAX) {
                    return came;
                }
            }
            rest(world, guard, world.random.nextInt(1_000));
        }
        return came;
    }

    private static void rest(World world, HeapGuard guard, int steps) {
        for (int step = 0; step < steps; step++) {
            step(world, guard);
        }
    }

    private static void step(World world, HeapGuard guard) {
        world.step();
        if (world.millis % HeapGuard.LOOK_MILLIS == 0) {
            guard.turn();
        }
    }

    /** Admits whatever comes. */
    private record Blind(World world) implements HeapGuard.Gate {
        @Override
        public int total() {
            return world.total();
        }

        @Override
        public int running() {
            return world.running();
        }

        @Override
        public long ended() {
            return world.ended();
        }

        @Override
        public long ranOut() {
            return 0;
        }

        @Override
        public boolean isAnyWaiting() {
            return world.isAnyWaiting();
        }

        @Override
        public void admit(int jobs) {
            // whoever does not guard admits all
        }
    }
}
