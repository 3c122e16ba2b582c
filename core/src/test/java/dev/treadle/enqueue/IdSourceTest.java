package dev.treadle.enqueue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.JobId;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class IdSourceTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00.123Z");
    private static final RandomGenerator NOT_RANDOM = () -> -1L;

    private final AtomicReference<Instant> time = new AtomicReference<>(NOW);
    private final IdSource source = new IdSource(time::get, NOT_RANDOM);

    @Test
    void an_id_is_of_version_7_and_tells_its_millisecond() {
        JobId id = source.nextJobId();

        assertEquals(7, id.value().version());
        assertEquals(2, id.value().variant());
        assertEquals(NOW.toEpochMilli(), id.value().getMostSignificantBits() >>> 16);
        assertEquals("019ca945-0a7b-7000-bfff-ffffffffffff", id.toString());
    }

    @Test
    void ids_grow_while_the_clock_stands_still_also_beyond_the_counter() {
        // why more than 4,096: the 12-bit counter then carries into the millisecond
        assertGrowing(10_000, () -> {});
    }

    @Test
    void ids_grow_while_the_clock_goes_back() {
        assertGrowing(1_000, () -> time.updateAndGet(now -> now.minusSeconds(1)));
    }

    @Test
    void once_the_clock_has_caught_up_ids_tell_the_time_again() {
        assertGrowing(10_000, () -> {});
        Instant later = NOW.plusSeconds(60);
        time.set(later);

        assertEquals(later.toEpochMilli(), source.nextJobId().value().getMostSignificantBits() >>> 16);
    }

    @Test
    void four_threads_never_get_the_same_id() throws Exception {
        // why a random tail that never changes: the stamp alone must tell them apart
        IdSource shared = new IdSource(InstantSource.system(), NOT_RANDOM);
        List<FutureTask<Set<JobId>>> tasks = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            FutureTask<Set<JobId>> task = new FutureTask<>(() -> some(shared, 25_000));
            tasks.add(task);
            new Thread(task, "ids-" + i).start();
        }

        assertEquals(100_000, union(tasks).size());
    }

    @Test
    void node_ids_are_never_negative() {
        assertEquals(Long.MAX_VALUE, source.nextNodeId().value());
        assertEquals(
                0, new IdSource(time::get, () -> Long.MIN_VALUE).nextNodeId().value());
    }

    private void assertGrowing(int ids, Runnable between) {
        JobId before = source.nextJobId();
        for (int i = 0; i < ids; i++) {
            between.run();
            JobId next = source.nextJobId();
            assertTrue(before.compareTo(next) < 0, before + " before " + next);
            assertEquals(7, next.value().version());
            before = next;
        }
    }

    private static Set<JobId> some(IdSource source, int count) {
        Set<JobId> ids = new HashSet<>();
        for (int i = 0; i < count; i++) {
            ids.add(source.nextJobId());
        }
        return ids;
    }

    private static Set<JobId> union(List<FutureTask<Set<JobId>>> tasks)
            throws InterruptedException, ExecutionException {
        Set<JobId> all = new HashSet<>();
        for (FutureTask<Set<JobId>> task : tasks) {
            all.addAll(task.get());
        }
        return all;
    }
}
