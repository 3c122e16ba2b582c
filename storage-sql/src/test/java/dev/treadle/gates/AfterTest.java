package dev.treadle.gates;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.treadle.Treadle;
import dev.treadle.api.JobOptions;
import dev.treadle.api.JobScheduler;
import dev.treadle.job.AfterRule;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.RetryPolicy;
import dev.treadle.job.StateName;
import dev.treadle.job.Unique;
import dev.treadle.job.WriteResult;
import dev.treadle.schedule.Schedule;
import dev.treadle.transaction.TransactionMode;
import java.sql.Connection;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs that are enqueued to run after others. */
@ParameterizedClass
@EnumSource(GateFixture.Kind.class)
@Timeout(240)
class AfterTest extends GateFixture {
    private static final JobOptions OPTIONS = JobOptions.DEFAULT;
    private static final LocalDate DAY = LocalDate.of(2026, 11, 22);

    record Extract(LocalDate day) implements JobRequest<Void> {}

    record Load(LocalDate day) implements JobRequest<Void> {}

    record Index(LocalDate day) implements JobRequest<Void> {}

    record Publish(LocalDate day) implements JobRequest<Void> {}

    record Page(String who, LocalDate day) implements JobRequest<Void> {}

    record Wait(int number) implements JobRequest<Void> {}

    private final ConcurrentLinkedQueue<String> ran = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean loadFails = new AtomicBoolean();
    private final CountDownLatch goOn = new CountDownLatch(1);

    AfterTest(Kind kind) {
        super(kind);
    }

    private Treadle treadle(Duration pollMax) {
        return opened(builder()
                .settings(QUICK.withPollMax(pollMax))
                .retry(IllegalStateException.class, RetryPolicy.NEVER)
                .handler(Extract.class, (extract, job) -> ran.add("extract"))
                .handler(Load.class, (load, job) -> {
                    if (loadFails.get()) {
                        throw new IllegalStateException("the disk is full");
                    }
                    ran.add("load");
                })
                .handler(Index.class, (index, job) -> ran.add("index"))
                .handler(Publish.class, (publish, job) -> ran.add("publish"))
                .handler(Page.class, (page, job) -> ran.add("page " + page.who()))
                .handler(Wait.class, (wait, job) -> goOn.await())
                .start());
    }

    private Treadle treadle() {
        return treadle(Duration.ofMillis(100));
    }

    /** The jobs of a day. */
    private record Jobs(JobId extract, JobId load, JobId index, JobId publish, JobId page) {}

    private static Jobs enqueue(JobScheduler jobs, LocalDate day) {
        JobId extract = jobs.enqueue(new Extract(day));
        JobScheduler next = jobs.with(JobOptions.DEFAULT.after(extract));
        JobId load = next.enqueue(new Load(day));
        JobId index = next.enqueue(new Index(day));
        JobId publish = jobs.with(JobOptions.DEFAULT.after(load, index)).enqueue(new Publish(day));
        JobId page = jobs.with(JobOptions.DEFAULT.afterFailureOf(load, index)).enqueue(new Page("on-call", day));
        return new Jobs(extract, load, index, publish, page);
    }

    @Test
    void a_graph_of_jobs_runs_in_its_order() {
        Treadle treadle = treadle();
        Jobs day = enqueue(treadle.jobs(), DAY);

        awaitState(treadle, day.publish, StateName.SUCCEEDED);
        awaitState(treadle, day.page, StateName.CANCELLED);

        assertEquals("extract", ran.poll());
        assertEquals(Set.of("index", "load"), Set.copyOf(List.copyOf(ran).subList(0, 2)));
        assertEquals("publish", List.copyOf(ran).get(2));
        assertEquals(3, ran.size());
    }

    @Test
    void a_failed_job_of_a_graph_is_run_again_and_the_rest_follows() {
        loadFails.set(true);
        Treadle treadle = treadle();
        Jobs day = enqueue(treadle.jobs(), DAY);

        awaitState(treadle, day.page, StateName.SUCCEEDED);
        awaitState(treadle, day.index, StateName.SUCCEEDED);
        assertEquals(
                StateName.WAITING, story(treadle, day.publish).job().state().name());
        loadFails.set(false);
        assertEquals(WriteResult.WRITTEN, treadle.jobs().runAgain(day.load, "anna", "there is room again"));

        awaitState(treadle, day.publish, StateName.SUCCEEDED);
        assertEquals(Set.of("extract", "index", "page on-call", "load", "publish"), Set.copyOf(ran));
        assertEquals(5, ran.size());
    }

    @Test
    void a_job_that_runs_after_another_starts_at_once_when_nodes_seldom_look() {
        Treadle treadle = treadle(Duration.ofSeconds(60));
        JobId running = treadle.jobs().enqueue(new Wait(1));
        awaitState(treadle, running, StateName.PROCESSING);
        JobId second = treadle.jobs().with(OPTIONS.after(running)).enqueue(new Extract(DAY));
        JobId third = treadle.jobs().with(OPTIONS.afterEndOf(second)).enqueue(new Load(DAY));
        awaitState(treadle, second, StateName.WAITING);
        long from = System.nanoTime();
        goOn.countDown();

        awaitState(treadle, third, StateName.SUCCEEDED);
        assertTrue(System.nanoTime() - from < Duration.ofSeconds(30).toNanos(), "it was found by no look of a minute");
        JobId late = treadle.jobs().with(OPTIONS.after(third)).enqueue(new Index(DAY));
        awaitState(treadle, late, StateName.SUCCEEDED);
        assertTrue(System.nanoTime() - from < Duration.ofSeconds(50).toNanos());
    }

    @Test
    void many_are_enqueued_after_one() {
        Treadle treadle = treadle();
        JobId first = treadle.jobs().enqueue(new Wait(1));
        List<JobId> many = treadle.jobs()
                .with(OPTIONS.afterEndOf(first))
                .enqueueAll(IntStream.range(0, 1_200).mapToObj(i -> new Page("no. " + i, DAY)));
        assertEquals(
                StateName.WAITING, story(treadle, many.get(1_199)).job().state().name());
        goOn.countDown();

        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> ran.size() == many.size());
        awaitState(treadle, many.get(1_199), StateName.SUCCEEDED);
        assertEquals(many.size(), Set.copyOf(ran).size());
    }

    @Test
    void a_transaction_brings_the_whole_graph_or_nothing() throws Exception {
        assumeTrue(database != null, "memory has no transactions");
        Treadle treadle = treadle();
        JobScheduler jobs = treadle.jobs();
        Jobs gone;
        try (Connection connection = Objects.requireNonNull(database).getConnection()) {
            connection.setAutoCommit(false);
            gone = enqueue(jobs.in(connection), DAY);
            connection.rollback();
            connection.setAutoCommit(true);
        }
        assertTrue(jobs.find(gone.extract).isEmpty());
        assertTrue(jobs.find(gone.publish).isEmpty());

        Jobs there = jobs.transaction(database, connection -> enqueue(jobs, DAY));
        awaitState(treadle, there.publish, StateName.SUCCEEDED);
        JobId last = jobs.transaction(
                database,
                connection -> jobs.with(OPTIONS.after(there.publish).withTransactionMode(TransactionMode.AFTER_COMMIT))
                        .enqueue(new Index(DAY)));
        awaitState(treadle, last, StateName.SUCCEEDED);
    }

    @Test
    void what_cannot_be_is_refused_where_it_is_asked_for() throws Exception {
        Treadle treadle = treadle();
        JobScheduler jobs = treadle.jobs();
        JobId missing = JobId.of(new UUID(7, 7));
        JobId there = jobs.enqueue(new Extract(DAY));

        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class,
                () -> jobs.with(OPTIONS.after(missing)).enqueue(new Load(DAY)));
        assertTrue(String.valueOf(refused.getMessage()).contains(missing.toString()), refused::getMessage);
        assertThrows(IllegalArgumentException.class, OPTIONS::after);
        assertThrows(IllegalArgumentException.class, () -> OPTIONS.after(there).afterEndOf(there));
        assertThrows(IllegalArgumentException.class, () -> OPTIONS.after(there).withDelay(Duration.ofHours(1)));
        assertThrows(
                IllegalArgumentException.class,
                () -> OPTIONS.withDelay(Duration.ofHours(1)).after(there));
        assertThrows(IllegalArgumentException.class, () -> OPTIONS.after(there).withUnique(Unique.by("one")));
        assertThrows(
                IllegalArgumentException.class,
                () -> jobs.with(OPTIONS.after(there).withId(there)).enqueue(new Load(DAY)));
        assertThrows(
                IllegalArgumentException.class,
                () -> jobs.with(OPTIONS.after(there))
                        .recurring("nightly", Schedule.every(Duration.ofDays(1)), new Load(DAY)));
        assertThrows(
                IllegalArgumentException.class,
                () -> OPTIONS.after(IntStream.range(0, 1_001)
                        .mapToObj(i -> JobId.of(new UUID(1, i)))
                        .toList()));
        assertEquals(
                List.of(AfterRule.AFTER_END, 2),
                List.of(
                        Objects.requireNonNull(
                                        OPTIONS.afterEndOf(there, missing).afterJobs())
                                .rule(),
                        Objects.requireNonNull(OPTIONS.afterEndOf(there)
                                        .afterEndOf(missing, there)
                                        .afterJobs())
                                .jobs()
                                .size()));
        if (database != null) {
            try (Connection connection = database.getConnection()) {
                connection.setAutoCommit(false);
                JobScheduler joined = jobs.in(connection);
                assertThrows(
                        IllegalArgumentException.class,
                        () -> joined.with(OPTIONS.after(missing)).enqueue(new Load(DAY)));
                JobId kept = joined.enqueue(new Index(DAY));
                connection.commit();
                connection.setAutoCommit(true);
                awaitState(treadle, kept, StateName.SUCCEEDED);
            }
        }
    }

    @Test
    void a_cancel_travels_down_the_chain() {
        Treadle treadle = treadle();
        JobId first = treadle.jobs().enqueue(new Wait(1));
        JobId next = treadle.jobs().with(OPTIONS.after(first)).enqueue(new Load(DAY));
        assertEquals(WriteResult.WRITTEN, treadle.jobs().cancel(first, "anna", "not today"));

        awaitState(treadle, next, StateName.CANCELLED);
        goOn.countDown();
    }
}
