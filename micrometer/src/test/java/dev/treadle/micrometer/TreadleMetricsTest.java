package dev.treadle.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Treadle;
import dev.treadle.api.JobOptions;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.RetryPolicy;
import dev.treadle.server.HeapGuardSettings;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.StorageException;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The meters, while jobs wait, run and fail. */
class TreadleMetricsTest {
    static {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
    }

    private static final Duration SOON = Duration.ofMillis(100);

    private final WatchedStorage storage = new WatchedStorage();
    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final EnqueuedJobs enqueued = new EnqueuedJobs();
    private final Treadle treadle = Treadle.on(storage.storage())
            .settings(JobServerSettings.DEFAULT
                    .withWorkers(2)
                    .withResource("pdf", 3)
                    .withHeapGuard(HeapGuardSettings.DEFAULT)
                    .withRetries(RetryPolicy.NEVER)
                    .withStopPatience(Duration.ofSeconds(1)))
            .handler(Wait.class, (wait, job) -> mayEnd.await())
            .handler(Fail.class, (fail, job) -> {
                throw new IllegalStateException("asked to");
            })
            .handler(Ask.class, (ask, job) -> job.await("answer", String.class, Duration.ofDays(1)))
            .handler(Parent.class, (parent, job) -> {
                job.spawn("part", new Part()).join();
                job.spawn("other", new Part()).join();
            })
            .handler(Part.class, (part, job) -> {})
            .intercept(enqueued)
            .start();

    record Wait(int number) implements JobRequest<Void> {}

    record Fail() implements JobRequest<Void> {}

    record Ask() implements JobRequest<Void> {}

    record Parent() implements JobRequest<Void> {}

    record Part() implements JobRequest<Void> {}

    @AfterEach
    void close() {
        storage.goesOn();
        mayEnd.countDown();
        treadle.close();
    }

    private TreadleMetrics bind(Duration interval) {
        enqueued.bindTo(registry);
        TreadleMetrics metrics = new TreadleMetrics(treadle, Tags.of("application", "office"), interval);
        metrics.bindTo(registry);
        return metrics;
    }

    /** The sum over all meters of a name with these tags, by names and values. */
    private double value(TreadleMeter meter, String... tags) {
        return registry.find(meter.id()).tags(tags).meters().stream()
                .flatMap(one -> StreamSupport.stream(one.measure().spliterator(), false))
                .mapToDouble(Measurement::getValue)
                .sum();
    }

    private void until(TreadleMeter meter, double expected, String... tags) {
        Awaitility.await(meter + " is " + expected).until(() -> value(meter, tags) == expected);
    }

    @Test
    void jobs_that_wait_run_and_fail_are_counted() {
        bind(SOON);
        for (int n = 0; n < 40; n++) {
            treadle.jobs()
                    .with(JobOptions.DEFAULT.withQueue("mail").withUses("pdf"))
                    .enqueue(new Wait(n));
        }
        treadle.jobs().enqueue(new Fail());
        assertEquals(41, value(TreadleMeter.ENQUEUED));
        until(TreadleMeter.SERVER_RUNNING, 2);
        until(TreadleMeter.JOBS, 2, "state", "PROCESSING");
        Awaitility.await().until(() -> value(TreadleMeter.QUEUE_WAITING, "queue", "mail") > 30);
        Awaitility.await().until(() -> value(TreadleMeter.QUEUE_OLDEST, "queue", "mail") > 0);
        until(TreadleMeter.SERVER_WORKERS, 2);
        assertEquals(3, value(TreadleMeter.RESOURCE_PERMITS, "resource", "pdf"));
        until(TreadleMeter.RESOURCE_USED, 2, "resource", "pdf");
        until(TreadleMeter.HEALTH, 1, "level", "HEALTHY");
        treadle.queues().pause("mail", "ada", null);
        until(TreadleMeter.QUEUE_PAUSED, 1, "queue", "mail");
        until(TreadleMeter.PROBLEM, 1, "rule", "queue-paused");
        treadle.queues().resume("mail", "ada");
        mayEnd.countDown();
        until(TreadleMeter.JOBS, 40, "state", "SUCCEEDED");
        until(TreadleMeter.JOBS, 1, "state", "FAILED");
        until(TreadleMeter.ATTEMPTS, 40, "queue", "mail", "outcome", "completed");
        until(TreadleMeter.ATTEMPTS, 1, "queue", "default", "outcome", "failed");
        until(TreadleMeter.CLAIMED, 40, "queue", "mail");
        until(TreadleMeter.QUEUE_WAITING, 0, "queue", "mail");
    }

    @Test
    void a_job_that_waits_at_a_gate_is_not_due() {
        bind(SOON);
        JobId asks = treadle.jobs().with(JobOptions.DEFAULT.withQueue("mail")).enqueue(new Ask());
        until(TreadleMeter.JOBS, 1, "state", "WAITING");
        until(TreadleMeter.JOBS, 0, "state", "PROCESSING");
        until(TreadleMeter.SERVER_RUNNING, 0);
        until(TreadleMeter.HEALTH, 1, "level", "IDLE");
        until(TreadleMeter.CLAIMED, 1, "queue", "mail");
        assertEquals(0, value(TreadleMeter.QUEUE_WAITING, "queue", "mail"));
        assertEquals(0, value(TreadleMeter.QUEUE_OLDEST, "queue", "mail"));
        assertEquals(0, value(TreadleMeter.PROBLEM));
        treadle.jobs().signal(asks, "answer", "yes");
        until(TreadleMeter.JOBS, 1, "state", "SUCCEEDED");
        until(TreadleMeter.JOBS, 0, "state", "WAITING");
    }

    @Test
    void a_child_is_counted_when_it_is_stored_and_not_when_its_parent_finds_it_again() {
        bind(SOON);
        treadle.jobs().enqueue(new Parent());
        until(TreadleMeter.JOBS, 3, "state", "SUCCEEDED");
        assertEquals(3, value(TreadleMeter.ENQUEUED));
    }

    @Test
    void each_meter_of_the_list_is_registered_with_its_tags_and_nothing_else_is() {
        bind(SOON);
        treadle.jobs().with(JobOptions.DEFAULT.withUses("pdf")).enqueue(new Fail());
        until(TreadleMeter.ATTEMPTS, 1);
        until(TreadleMeter.JOBS, 1, "state", "FAILED");
        Awaitility.await()
                .until(() ->
                        !registry.find(TreadleMeter.QUEUE_PAUSED.id()).meters().isEmpty());

        Set<String> listed = Set.of(TreadleMeter.values()).stream()
                .map(meter -> described(meter.id(), meter.type(), meter.unit(), new TreeSet<>(meter.tags())))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> registered = registry.getMeters().stream()
                .map(meter -> described(
                        meter.getId().getName(),
                        meter.getId().getType(),
                        meter.getId().getBaseUnit(),
                        meter.getId().getTags().stream()
                                .map(Tag::getKey)
                                .filter(key -> !key.equals("application"))
                                .collect(Collectors.toCollection(TreeSet::new))))
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(listed, registered);
    }

    private static String described(String name, Meter.Type type, @Nullable String unit, Set<String> tags) {
        return name + " " + type + " " + unit + " " + tags;
    }

    @Test
    void the_storage_is_asked_once_in_an_interval_however_many_read() {
        TreadleMetrics metrics = bind(Duration.ofHours(1));
        Awaitility.await().until(() -> !Double.isNaN(value(TreadleMeter.JOBS)));
        int looks = storage.looks();
        assertTrue(looks <= 2, "once for the verdict and once for the counts, and it was " + looks);
        MeterRegistry second = new SimpleMeterRegistry();
        metrics.bindTo(second);
        for (int n = 0; n < 100; n++) {
            for (MeterRegistry one : List.of(registry, second)) {
                one.getMeters().forEach(meter -> meter.measure().forEach(Measurement::getValue));
            }
        }
        assertEquals(looks, storage.looks());
    }

    @Test
    void a_storage_that_throws_leaves_no_figures_and_one_problem() {
        bind(SOON);
        until(TreadleMeter.HEALTH, 1, "level", "IDLE");
        storage.failsWith(new StorageException("away", new IllegalStateException(), true));
        until(TreadleMeter.PROBLEM, 1, "rule", "storage-down");
        assertEquals(1, value(TreadleMeter.HEALTH, "level", "DOWN"));
        assertTrue(Double.isNaN(value(TreadleMeter.JOBS)));
        assertEquals(2, value(TreadleMeter.SERVER_WORKERS), "figures of the server need no storage");
        storage.failsWith(null);
        until(TreadleMeter.HEALTH, 1, "level", "IDLE");
    }

    @Test
    void a_storage_that_hangs_holds_up_a_reader_once_and_not_once_for_each_meter() {
        bind(SOON);
        until(TreadleMeter.HEALTH, 1, "level", "IDLE");
        storage.hangs();
        Awaitility.await().until(() -> Double.isNaN(value(TreadleMeter.JOBS)));
        long began = System.nanoTime();
        for (int n = 0; n < 100; n++) {
            value(TreadleMeter.JOBS);
        }
        long seconds = Duration.ofNanos(System.nanoTime() - began).toSeconds();
        assertTrue(seconds < 60, "1,000 reads took " + seconds + " s; a second each would take 1,000");
        until(TreadleMeter.PROBLEM, 1, "rule", "storage-down");
        storage.goesOn();
        until(TreadleMeter.HEALTH, 1, "level", "IDLE");
    }

    @Test
    void a_process_without_a_server_has_no_meters_of_one() {
        MeterRegistry other = new SimpleMeterRegistry();
        try (Treadle enqueueOnly = Treadle.on(new WatchedStorage().storage()).enqueueOnly()) {
            new TreadleMetrics(enqueueOnly).bindTo(other);
            assertTrue(other.find(TreadleMeter.SERVER_RUNNING.id()).meters().isEmpty());
            assertEquals(10, other.find(TreadleMeter.PROBLEM.id()).meters().size());
        }
    }

    @Test
    void an_interval_out_of_range_is_refused() {
        for (Duration interval : List.of(Duration.ZERO, Duration.ofHours(2))) {
            assertThrows(IllegalArgumentException.class, () -> new TreadleMetrics(treadle, List.of(), interval));
        }
    }
}
