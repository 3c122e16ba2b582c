package dev.treadle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.api.JobOptions;
import dev.treadle.executor.PublishedThreadPerTaskExecutor;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobState;
import dev.treadle.job.ResourceUse;
import dev.treadle.job.RetryPolicy;
import dev.treadle.job.StateName;
import dev.treadle.job.Uses;
import dev.treadle.schedule.Schedule;
import dev.treadle.server.ConcurrencyLimit;
import dev.treadle.server.HeapGuardSettings;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.admin.AdminStorage;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Resources as a user meets them; docs/resources.md shows the same. */
@Timeout(60)
@SuppressWarnings("try") // what is held need not be named again
class ResourcesExamplesTest {
    @Uses("db")
    record Report(int number) implements JobRequest<Void> {}

    record Slip(int number) implements JobRequest<Void> {}

    record Plain(int number) implements JobRequest<Void> {}

    private final AdminStorage storage = new InMemoryStorageProvider();
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger insideMost = new AtomicInteger();
    /** How many have to be inside together before the first one goes on. */
    private final AtomicInteger awaited = new AtomicInteger();

    private final AtomicInteger ran = new AtomicInteger();
    private final AtomicReference<Treadle> other = new AtomicReference<>();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final Treadle treadle = Treadle.on(storage)
            .settings(JobServerSettings.DEFAULT
                    .withWorkers(20)
                    .withStopPatience(Duration.ZERO)
                    .withRetries(RetryPolicy.DEFAULT.withAttempts(1))
                    .withResource("db", 3)
                    .withResource("pdf", 2))
            .executor(new PublishedThreadPerTaskExecutor())
            .handler(Report.class, (report, job) -> counted())
            .handler(Slip.class, (slip, job) -> {
                byte[] pdf = job.using("pdf", () -> render(slip));
                assertEquals(slip.number(), pdf.length);
            })
            .handler(Plain.class, (plain, job) -> {
                ran.incrementAndGet();
            })
            .start();

    private byte[] render(Slip slip) throws Exception {
        counted();
        return new byte[slip.number()];
    }

    private Void counted() throws InterruptedException {
        insideMost.accumulateAndGet(inside.incrementAndGet(), Math::max);
        try {
            Await.until("as many are inside as may be", () -> insideMost.get() >= awaited.get());
            Thread.sleep(2);
        } finally {
            inside.decrementAndGet();
        }
        ran.incrementAndGet();
        return null;
    }

    @AfterEach
    void close() {
        gate.countDown();
        treadle.close();
    }

    @Test
    void as_many_jobs_run_as_there_are_permits_of_what_their_type_uses() {
        awaited.set(3);
        treadle.jobs().enqueueAll(IntStream.range(0, 100).mapToObj(Report::new));

        Await.until("all ran", () -> succeeded() == 100);
        assertEquals(3, insideMost.get());
        Await.until(
                "all is given back",
                () -> treadle.server().orElseThrow().resources().get(0).inUse() == 0);
    }

    @Test
    void as_many_parts_of_jobs_run_as_there_are_permits_of_what_they_use() {
        awaited.set(2);
        treadle.jobs().enqueueAll(IntStream.range(0, 100).mapToObj(Slip::new));

        Await.until("all ran", () -> succeeded() == 100);
        assertEquals(2, insideMost.get());
    }

    @Test
    void a_job_may_use_more_of_a_resource_than_its_type_says() {
        JobOptions large = JobOptions.DEFAULT.withUses(Map.of("db", 2));
        treadle.jobs().with(large).enqueueAll(IntStream.range(0, 20).mapToObj(Report::new));

        Await.until("all ran", () -> succeeded() == 20);
        assertEquals(1, insideMost.get(), "two permits each, of three");
    }

    @Test
    void jobs_that_wait_for_a_resource_hold_no_thread_and_are_in_nobodys_way() throws InterruptedException {
        JobServerSettings settings = JobServerSettings.DEFAULT.withWorkers(2).withResource("db", 1);
        try (Treadle narrow = Treadle.on(new InMemoryStorageProvider())
                .settings(settings)
                .handler(Report.class, (report, job) -> {
                    assertTrue(gate.await(30, TimeUnit.SECONDS));
                })
                .handler(Plain.class, (plain, job) -> {
                    ran.incrementAndGet();
                })
                .start()) {
            List<JobId> reports =
                    narrow.jobs().enqueueAll(IntStream.range(0, 50).mapToObj(Report::new));
            Await.until("the first runs", () -> narrow.server().orElseThrow().running() == 1);
            Await.until("the others stand in line", () -> use(narrow).waiting() == 1);

            narrow.jobs().enqueueAll(IntStream.range(0, 200).mapToObj(Plain::new));

            Await.until("all others ran", () -> ran.get() == 200);
            // the last of them has run before its thread is free
            Await.until(
                    "the first alone runs", () -> narrow.server().orElseThrow().running() == 1);
            // claimed once and no more: nothing was claimed in vain
            assertEquals(
                    1,
                    reports.stream()
                            .filter(id -> !narrow.jobs()
                                            .find(id)
                                            .orElseThrow()
                                            .history()
                                            .isEmpty()
                                    || narrow.jobs()
                                                    .find(id)
                                                    .orElseThrow()
                                                    .job()
                                                    .state()
                                            instanceof JobState.Processing)
                            .count());
            gate.countDown();
            Await.until(
                    "all reports ran",
                    () -> AdminStorage.of(narrow.storage()).search().counts().getOrDefault(StateName.SUCCEEDED, 0L)
                            == 250);
        }
    }

    @Test
    void cancelling_a_job_ends_its_waiting_for_a_resource() throws Exception {
        try (Treadle one = Treadle.on(new InMemoryStorageProvider())
                .settings(JobServerSettings.DEFAULT.withResource("pdf", 1))
                .handler(Slip.class, (slip, job) -> {
                    try (JobContext.Held held = job.use("pdf")) {
                        assertTrue(gate.await(30, TimeUnit.SECONDS));
                    }
                })
                .start()) {
            one.jobs().enqueue(new Slip(1));
            Await.until("it is held", () -> use(one).inUse() == 1);
            JobId second = one.jobs().enqueue(new Slip(2));
            Await.until("the second waits", () -> use(one).waiting() == 1);

            one.jobs().cancel(second, "ann", null);

            Await.until("nobody waits", () -> use(one).waiting() == 0);
            assertEquals(1, use(one).inUse());
            gate.countDown();
        }
    }

    @Test
    void a_timeout_counts_while_a_job_waits_for_a_resource() {
        try (Treadle one = Treadle.on(new InMemoryStorageProvider())
                .settings(JobServerSettings.DEFAULT
                        .withRetries(RetryPolicy.DEFAULT.withAttempts(1))
                        .withResource("pdf", 1))
                .handler(Slip.class, (slip, job) -> {
                    job.using("pdf", () -> assertTrue(gate.await(30, TimeUnit.SECONDS)));
                })
                .start()) {
            one.jobs().enqueue(new Slip(1));
            Await.until("it is held", () -> use(one).inUse() == 1);
            JobId second = one.jobs()
                    .with(JobOptions.DEFAULT.withTimeout(Duration.ofMillis(50)))
                    .enqueue(new Slip(2));

            Await.until(
                    "it failed",
                    () -> one.jobs().find(second).orElseThrow().job().state().name() == StateName.FAILED);
            assertEquals(0, use(one).waiting());
            gate.countDown();
        }
    }

    @Test
    void a_part_of_a_job_may_hold_several_at_once() {
        try (Treadle one = Treadle.on(new InMemoryStorageProvider())
                .settings(JobServerSettings.DEFAULT.withResource("db", 1).withResource("pdf", 1))
                .handler(Slip.class, (slip, job) -> {
                    try (JobContext.Held held = job.use("pdf", "db")) {
                        assertEquals(
                                List.of(1L, 1L),
                                one().stream().map(ResourceUse::inUse).toList());
                    }
                })
                .start()) {
            other.set(one);
            JobId id = one.jobs().enqueue(new Slip(1));
            Await.until(
                    "it ran",
                    () -> one.jobs().find(id).orElseThrow().job().state().name() == StateName.SUCCEEDED);
            assertEquals(List.of(0L, 0L), one().stream().map(ResourceUse::inUse).toList());
        }
    }

    private List<ResourceUse> one() {
        return other.get().server().orElseThrow().resources();
    }

    @Test
    void jobs_may_estimate_the_heap_that_they_need() {
        JobOptions heavy = JobOptions.DEFAULT.withHeap(48);
        assertEquals(Map.of("heap", 64), heavy.traits().uses(), "a power of two");
        treadle.jobs().with(heavy).enqueueAll(IntStream.range(0, 5).mapToObj(Plain::new));

        Await.until("all ran", () -> succeeded() == 5);
        List<ResourceUse> uses = treadle.server().orElseThrow().resources();
        assertEquals("heap", uses.get(2).name());
        assertEquals(Runtime.getRuntime().maxMemory() / 2 / (1 << 20), (long)
                uses.get(2).permits());
    }

    @Test
    void a_guarded_node_begins_with_few_jobs_and_says_how_many_it_admits() {
        // no more than the first few before one has ended, however little of the heap they take
        HeapGuardSettings heapGuard =
                HeapGuardSettings.DEFAULT.withFirst(3).withUnproven(3).withSettle(Duration.ofMinutes(10));
        try (Treadle guarded = Treadle.on(new InMemoryStorageProvider())
                .settings(JobServerSettings.DEFAULT.withWorkers(20).withHeapGuard(heapGuard))
                .handler(Plain.class, (plain, job) -> {
                    ran.incrementAndGet();
                    assertTrue(gate.await(30, TimeUnit.SECONDS));
                })
                .start()) {
            guarded.jobs().enqueueAll(IntStream.range(0, 20).mapToObj(Plain::new));

            Await.until("the first run", () -> ran.get() == 3);
            ConcurrencyLimit admitted = guarded.server().orElseThrow().admitted();
            assertEquals(3, admitted.admitted());
            assertEquals(20, admitted.workers());
            assertTrue(admitted.guarded());
            gate.countDown();
            Await.until("all run", () -> ran.get() == 20);
        }
        assertEquals(20, treadle.server().orElseThrow().admitted().admitted(), "without a guard all that could be");
    }

    @Test
    void a_job_for_which_memory_runs_out_lowers_what_is_admitted() {
        try (Treadle guarded = Treadle.on(new InMemoryStorageProvider())
                .settings(
                        JobServerSettings.DEFAULT.withWorkers(20).withHeapGuard(HeapGuardSettings.DEFAULT.withFirst(8)))
                .handler(Plain.class, (plain, job) -> {
                    if (job.attempt() == 1) {
                        throw new OutOfMemoryError("as if");
                    }
                })
                .start()) {
            guarded.jobs()
                    .with(JobOptions.DEFAULT.withRetries(RetryPolicy.DEFAULT))
                    .enqueue(new Plain(1));

            Await.until(
                    "it was lowered",
                    () -> guarded.server().orElseThrow().admitted().lowered() >= 1);
            ConcurrencyLimit admitted = guarded.server().orElseThrow().admitted();
            assertEquals("lowered from 8 to 2: a job ended with an OutOfMemoryError", admitted.last());
        }
    }

    @Test
    void recurring_jobs_use_what_their_type_says() {
        treadle.jobs().recurring("reports", Schedule.every(Duration.ofHours(1)), new Report(1));

        assertEquals(
                Map.of("db", 1),
                treadle.jobs()
                        .recurring()
                        .find("reports")
                        .orElseThrow()
                        .plan()
                        .traits()
                        .uses());
    }

    @Test
    void what_cannot_be_is_said_at_once() {
        assertThrows(IllegalArgumentException.class, () -> JobServerSettings.DEFAULT.withResource("db", 0));
        assertThrows(
                IllegalArgumentException.class,
                () -> JobServerSettings.DEFAULT.withResource("db", 1).withResource("db", 2));
        assertThrows(IllegalArgumentException.class, () -> HeapGuardSettings.DEFAULT.withShares(0.5, 0.6, 0.4));
        assertThrows(IllegalArgumentException.class, () -> HeapGuardSettings.DEFAULT.withFirst(0));
        assertThrows(IllegalArgumentException.class, () -> JobOptions.DEFAULT.withHeap(0));
        assertThrows(IllegalArgumentException.class, () -> JobOptions.DEFAULT.withUses(Map.of("db", 0)));
        assertThrows(IllegalArgumentException.class, () -> JobOptions.DEFAULT.withUses(" "));
    }

    private static ResourceUse use(Treadle of) {
        return of.server().orElseThrow().resources().get(0);
    }

    private long succeeded() {
        return storage.search().counts().getOrDefault(StateName.SUCCEEDED, 0L);
    }
}
