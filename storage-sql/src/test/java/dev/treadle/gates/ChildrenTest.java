package dev.treadle.gates;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Treadle;
import dev.treadle.job.Child;
import dev.treadle.job.ChildFailedException;
import dev.treadle.job.ChildResults;
import dev.treadle.job.Children;
import dev.treadle.job.HistoryEntry;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobState;
import dev.treadle.job.JoinRule;
import dev.treadle.job.RetryPolicy;
import dev.treadle.job.StateName;
import dev.treadle.storage.admin.AdminStorage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs that spawn jobs and join them. */
@ParameterizedClass
@EnumSource(GateFixture.Kind.class)
@Timeout(240)
class ChildrenTest extends GateFixture {
    record CloseYear(int year) implements JobRequest<String> {}

    record Slip(int year, int employee) implements JobRequest<Pdf> {}

    record Report(int year, long failed) implements JobRequest<Integer> {}

    record Pdf(String text) {}

    ChildrenTest(Kind kind) {
        super(kind);
    }

    private Treadle.Builder slips() {
        return builder()
                .retry(IllegalStateException.class, RetryPolicy.NEVER)
                .resultHandler(Slip.class, (slip, job) -> {
                    if (slip.employee() < 0) {
                        throw new IllegalStateException("no employee " + slip.employee());
                    }
                    return new Pdf(slip.year() + "/" + slip.employee());
                });
    }

    @Test
    void a_job_waits_for_its_child_without_a_thread_and_reads_what_it_returned() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        CountDownLatch suspended = new CountDownLatch(1);
        Treadle treadle = opened(builder()
                .settings(QUICK.withWorkers(1))
                .resultHandler(Slip.class, (slip, job) -> {
                    suspended.await();
                    return new Pdf("slip " + slip.employee());
                })
                .resultHandler(CloseYear.class, (year, job) -> {
                    calls.incrementAndGet();
                    Child<Pdf> slip = job.spawn("slip", new Slip(year.year(), 7));
                    return slip.join().text();
                })
                .start());
        JobId id = treadle.jobs().enqueue(new CloseYear(2026));

        awaitState(treadle, id, StateName.WAITING);
        assertInstanceOf(JobState.Waiting.class, story(treadle, id).job().state());
        // the one worker runs the child now: the parent holds none
        suspended.countDown();

        assertEquals(
                "slip 7",
                treadle.jobs().await(id, String.class, Duration.ofSeconds(60)).orElseThrow());
        assertEquals(2, calls.get());
        assertEquals(1, story(treadle, id).job().attempt(), "the wait was no attempt");
        assertEquals(
                List.of(HistoryEntry.Event.SUSPENDED, HistoryEntry.Event.COMPLETED),
                story(treadle, id).history().stream().map(HistoryEntry::event).toList());
    }

    @Test
    void many_children_are_read_in_the_order_in_which_they_were_spawned() throws Exception {
        int count = 2_500;
        Treadle treadle = opened(slips().resultHandler(CloseYear.class, (year, job) -> {
                    Children<Pdf> slips = job.spawn(
                            "slip",
                            IntStream.range(0, count).mapToObj(i -> new Slip(year.year(), i % 1_000 == 999 ? -i : i)));
                    ChildResults<Pdf> all = slips.join(JoinRule.ALL_END);
                    int report = job.spawn("report", new Report(year.year(), all.failedCount()))
                            .join();
                    List<String> texts = all.succeeded().map(Pdf::text).toList();
                    List<Long> failed =
                            all.failed().map(ChildResults.FailedChild::ordinal).toList();
                    return slips.count() + " " + all.succeededCount() + " " + report + " " + failed + " " + texts.get(0)
                            + " " + texts.get(1_000) + " " + texts.get(texts.size() - 1);
                })
                .resultHandler(Report.class, (report, job) -> (int) report.failed())
                .start());

        JobId id = treadle.jobs().enqueue(new CloseYear(2026));

        assertEquals(
                "2500 2498 2 [999, 1999] 2026/0 2026/1001 2026/2499",
                treadle.jobs().await(id, String.class, Duration.ofSeconds(120)).orElseThrow());
        assertEquals(
                count + 2,
                AdminStorage.of(treadle.storage()).search().counts().values().stream()
                        .mapToLong(n -> n)
                        .sum());
    }

    @Test
    void a_crash_between_the_children_goes_on_where_it_was() throws Exception {
        AtomicBoolean crashed = new AtomicBoolean();
        ConcurrentLinkedQueue<Integer> made = new ConcurrentLinkedQueue<>();
        Treadle treadle = opened(slips().resultHandler(CloseYear.class, (year, job) -> {
                    Children<Pdf> slips =
                            job.spawn("slip", IntStream.range(0, 2_500).mapToObj(i -> {
                                made.add(i);
                                if (i == 2_200 && crashed.compareAndSet(false, true)) {
                                    throw new java.io.UncheckedIOException(
                                            new java.io.IOException("the employees are away"));
                                }
                                return new Slip(year.year(), i);
                            }));
                    return String.valueOf(slips.join().succeededCount());
                })
                .retry(
                        java.io.UncheckedIOException.class,
                        RetryPolicy.DEFAULT.withAttempts(3).withDelays(Duration.ofMillis(10), Duration.ofMillis(20)))
                .start());

        JobId id = treadle.jobs().enqueue(new CloseYear(2026));

        assertEquals(
                "2500",
                treadle.jobs().await(id, String.class, Duration.ofSeconds(120)).orElseThrow());
        assertEquals(
                2_501,
                AdminStorage.of(treadle.storage()).search().counts().values().stream()
                        .mapToLong(n -> n)
                        .sum());
        assertTrue(made.size() < 2_201 + 2_500 + 10, "once sealed, the stream is not read again: " + made.size());
    }

    @Test
    void the_first_failure_fails_the_parent_and_cancels_the_rest() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        Treadle treadle = opened(builder()
                .retry(IllegalStateException.class, RetryPolicy.NEVER)
                .resultHandler(Slip.class, (slip, job) -> {
                    if (slip.employee() == 1) {
                        throw new IllegalStateException("no employee 1");
                    }
                    never.await();
                    return new Pdf("never");
                })
                .resultHandler(CloseYear.class, (year, job) -> {
                    job.spawn("slip", IntStream.of(0, 1, 2).mapToObj(i -> new Slip(year.year(), i)))
                            .join();
                    return "never";
                })
                .start());
        JobId id = treadle.jobs().enqueue(new CloseYear(2026));

        awaitState(treadle, id, StateName.FAILED);
        JobState.Failed failed =
                assertInstanceOf(JobState.Failed.class, story(treadle, id).job().state());
        assertEquals(ChildFailedException.class.getName(), failed.failure().type());
        assertTrue(failed.failure().message().contains("The child 'slip'"), failed.failure()::message);
        assertEquals(1, story(treadle, id).job().attempt(), "a further attempt would find the same");
        Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            assertEquals(2, AdminStorage.of(treadle.storage()).search().counts().get(StateName.CANCELLED));
            assertEquals(0, AdminStorage.of(treadle.storage()).search().counts().get(StateName.PROCESSING));
        });
    }

    @Test
    void a_child_that_is_run_again_completes_the_tree() throws Exception {
        AtomicBoolean mended = new AtomicBoolean();
        Treadle treadle = opened(builder()
                .retry(IllegalStateException.class, RetryPolicy.NEVER)
                .resultHandler(Slip.class, (slip, job) -> {
                    if (!mended.get()) {
                        throw new IllegalStateException("broken");
                    }
                    return new Pdf("mended");
                })
                .resultHandler(
                        CloseYear.class,
                        (year, job) -> job.spawn("slip", new Slip(year.year(), 1))
                                .join()
                                .text())
                .start());
        JobId id = treadle.jobs().enqueue(new CloseYear(2026));
        awaitState(treadle, id, StateName.FAILED);
        mended.set(true);

        treadle.jobs().runAgain(dev.treadle.job.GateId.of(id, "slip").child(0), "anna", "mended");
        treadle.jobs().runAgain(id, "anna", "mended");

        assertEquals(
                "mended",
                treadle.jobs().await(id, String.class, Duration.ofSeconds(60)).orElseThrow());
    }

    @Test
    void a_cancelled_parent_cancels_what_it_spawned() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        AtomicInteger interrupted = new AtomicInteger();
        Treadle treadle = opened(builder()
                .resultHandler(Slip.class, (slip, job) -> {
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        interrupted.incrementAndGet();
                        throw e;
                    }
                    return new Pdf("never");
                })
                .resultHandler(CloseYear.class, (year, job) -> {
                    job.spawn("slip", IntStream.of(0, 1).mapToObj(i -> new Slip(year.year(), i)))
                            .join();
                    return "never";
                })
                .start());
        JobId id = treadle.jobs().enqueue(new CloseYear(2026));
        awaitState(treadle, id, StateName.WAITING);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() ->
                        AdminStorage.of(treadle.storage()).search().counts().get(StateName.PROCESSING) == 2);

        treadle.jobs().cancel(id, "anna", "not needed");

        Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            assertEquals(3, AdminStorage.of(treadle.storage()).search().counts().get(StateName.CANCELLED));
            assertEquals(2, interrupted.get());
        });
    }

    @Test
    void a_name_used_for_two_things_is_refused() throws Exception {
        ConcurrentLinkedQueue<String> said = new ConcurrentLinkedQueue<>();
        Treadle treadle = opened(slips().resultHandler(CloseYear.class, (year, job) -> {
                    job.step("count", () -> 1);
                    job.spawn("slip", new Slip(1, 1));
                    for (String name : List.of("count", "slip")) {
                        try {
                            job.spawn(name, new Slip(1, 2));
                        } catch (IllegalStateException e) {
                            said.add(String.valueOf(e.getMessage()));
                        }
                    }
                    try {
                        job.step("slip", () -> 1);
                    } catch (IllegalStateException e) {
                        said.add(String.valueOf(e.getMessage()));
                    }
                    return "done";
                })
                .start());
        JobId id = treadle.jobs().enqueue(new CloseYear(2026));

        treadle.jobs().await(id, String.class, Duration.ofSeconds(60));
        assertEquals(3, said.size(), said::toString);
    }
}
