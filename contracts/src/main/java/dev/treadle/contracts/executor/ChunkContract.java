package dev.treadle.contracts.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Treadle;
import dev.treadle.api.JobOptions;
import dev.treadle.executor.JobRunrExecutor;
import dev.treadle.job.ChunkHandler;
import dev.treadle.job.ChunkJob;
import dev.treadle.job.GiveUpException;
import dev.treadle.job.HistoryEntry;
import dev.treadle.job.HistoryEntry.Event;
import dev.treadle.job.Job;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobInterceptor;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobState;
import dev.treadle.job.JobTimeoutException;
import dev.treadle.job.KeyRule;
import dev.treadle.job.RetryPolicy;
import dev.treadle.job.SnoozeException;
import dev.treadle.job.StateName;
import dev.treadle.job.StopReason;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** That one call runs many jobs on a thread of an executor. Extend it, hand over an executor, and it runs. */
@Timeout(120)
public abstract class ChunkContract {
    private static final Duration NEVER = Duration.ofSeconds(50);
    private static final Duration SOON = Duration.ofMillis(200);

    private final Queue<List<Integer>> calls = new ConcurrentLinkedQueue<>();
    private @Nullable Treadle treadle;

    /** For subclasses. */
    protected ChunkContract() {}

    /** An executor that has not been started. */
    protected abstract JobRunrExecutor newExecutor();

    record Mail(int number) implements JobRequest<String> {}

    record Other() implements JobRequest<Void> {}

    private Treadle.Builder builder() {
        return Treadle.on(new InMemoryStorageProvider())
                .executor(newExecutor())
                .settings(JobServerSettings.DEFAULT
                        .withWorkers(2)
                        .withRetries(RetryPolicy.NEVER)
                        .withStopPatience(Duration.ZERO));
    }

    private Treadle start(int jobs, Duration patience, ChunkHandler<Mail, String> handler) {
        return start(builder(), jobs, patience, handler);
    }

    private Treadle start(Treadle.Builder builder, int jobs, Duration patience, ChunkHandler<Mail, String> handler) {
        Treadle started = builder.chunkHandler(Mail.class, jobs, patience, mails -> {
                    calls.add(numbers(mails));
                    handler.run(mails);
                })
                .start();
        treadle = started;
        return started;
    }

    private static List<Integer> numbers(List<ChunkJob<Mail, String>> mails) {
        return mails.stream().map(mail -> mail.request().number()).toList();
    }

    @AfterEach
    final void close() {
        if (treadle != null) {
            treadle.close();
        }
    }

    @Test
    final void a_full_chunk_is_one_call_with_far_fewer_workers_than_jobs() {
        Treadle jobs = start(50, NEVER, mails -> {});
        List<JobId> ids = enqueue(jobs, 100);

        until(() -> states(jobs, ids).equals(Set.of(StateName.SUCCEEDED)));

        assertEquals(List.of(50, 50), calls.stream().map(List::size).toList());
        assertEquals(100, calls.stream().flatMap(List::stream).distinct().count(), "and each job is in one of them");
    }

    @Test
    final void the_first_job_waits_for_others_for_a_while_and_holds_no_worker() throws Exception {
        CountDownLatch others = new CountDownLatch(2);
        Treadle jobs = start(
                builder().handler(Other.class, (other, job) -> {
                    others.countDown();
                    others.await();
                }),
                50,
                NEVER,
                mails -> {});
        enqueue(jobs, 3);
        // both workers are needed for these
        jobs.jobs().enqueue(new Other());
        jobs.jobs().enqueue(new Other());

        assertTrue(others.await(60, TimeUnit.SECONDS));
        assertEquals(0, calls.size(), "three jobs wait for others");
    }

    @Test
    final void a_chunk_that_does_not_fill_runs_when_its_time_is_over() {
        Treadle jobs = start(50, SOON, mails -> {});
        List<JobId> ids = enqueue(jobs, 3);

        until(() -> states(jobs, ids).equals(Set.of(StateName.SUCCEEDED)));

        assertEquals(3, calls.stream().mapToInt(List::size).sum());
    }

    @Test
    final void each_job_ends_as_the_call_says() throws Exception {
        Treadle jobs = start(5, NEVER, mails -> {
            for (ChunkJob<Mail, String> mail : mails) {
                switch (mail.request().number()) {
                    case 0 -> mail.succeed("sent");
                    case 1 -> mail.fail(new IOException("full"));
                    case 2 -> mail.fail(new GiveUpException("no address"));
                    case 3 -> mail.fail(new SnoozeException(Duration.ofDays(1)));
                    default -> {}
                }
            }
            ChunkJob<Mail, String> first = mails.get(0);
            assertThrows(IllegalStateException.class, first::succeed, "once is enough");
        });
        List<JobId> ids = IntStream.range(0, 5)
                .mapToObj(n -> jobs.jobs()
                        .with(JobOptions.DEFAULT.withRetries(RetryPolicy.DEFAULT
                                .withAttempts(2)
                                .withDelays(Duration.ofHours(1), Duration.ofHours(1))))
                        .enqueue(new Mail(n)))
                .toList();

        until(() -> states(jobs, ids).equals(Set.of(StateName.SUCCEEDED, StateName.SCHEDULED, StateName.FAILED)));

        assertEquals("sent", jobs.jobs().result(ids.get(0), String.class).orElseThrow());
        assertEquals(Event.THREW, last(jobs, ids.get(1)).event());
        assertEquals(StateName.SCHEDULED, state(jobs, ids.get(1)), "it has another attempt");
        assertEquals(StateName.FAILED, state(jobs, ids.get(2)));
        assertEquals(Event.SNOOZED, last(jobs, ids.get(3)).event());
        assertTrue(jobs.jobs().result(ids.get(4), String.class).isEmpty());
        assertEquals(StateName.SUCCEEDED, state(jobs, ids.get(4)), "the call returned");
    }

    @Test
    final void what_the_call_throws_fails_the_jobs_that_have_not_ended() {
        Treadle jobs = start(3, NEVER, mails -> {
            byNumber(mails, 0).succeed("sent");
            throw new IOException("connection reset");
        });
        List<JobId> ids = enqueue(jobs, 3);

        until(() -> states(jobs, ids).equals(Set.of(StateName.SUCCEEDED, StateName.FAILED)));

        assertEquals(StateName.SUCCEEDED, state(jobs, ids.get(0)));
        for (JobId id : ids.subList(1, 3)) {
            JobState.Failed failed =
                    assertInstanceOf(JobState.Failed.class, find(jobs, id).state());
            assertEquals("connection reset", failed.failure().message());
        }
    }

    @Test
    final void a_job_that_is_cancelled_leaves_the_others_alone_and_the_last_one_interrupts_the_call() throws Exception {
        CountDownLatch runs = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        Set<@Nullable StopReason> reasons = ConcurrentHashMap.newKeySet();
        Treadle jobs = start(3, NEVER, mails -> {
            byNumber(mails, 2).succeed("sent");
            runs.countDown();
            JobContext first = byNumber(mails, 0).context();
            while (!first.shouldStop()) {
                LockSupport.parkNanos(1_000_000);
            }
            reasons.add(first.stopReason());
            assertFalse(Thread.currentThread().isInterrupted(), "the next one goes on");
            assertNull(byNumber(mails, 1).context().stopReason());
            try {
                Thread.sleep(NEVER.toMillis());
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
            }
        });
        List<JobId> ids = enqueue(jobs, 3);
        assertTrue(runs.await(60, TimeUnit.SECONDS));

        jobs.jobs().cancel(ids.get(0), "anna", "wrong month");
        until(() -> !reasons.isEmpty());
        assertEquals(1, interrupted.getCount());
        jobs.jobs().cancel(ids.get(1), "anna", "that one too");

        assertTrue(interrupted.await(60, TimeUnit.SECONDS), "nobody needs the call");
        until(() -> state(jobs, ids.get(2)) == StateName.SUCCEEDED);
        assertEquals(StateName.CANCELLED, state(jobs, ids.get(0)));
        assertEquals(StateName.CANCELLED, state(jobs, ids.get(1)));
        assertEquals(Set.of(StopReason.LEASE_LOST), reasons);
    }

    @Test
    final void the_call_is_interrupted_when_the_time_of_all_its_jobs_is_over() {
        Treadle jobs = start(2, NEVER, mails -> Thread.sleep(NEVER.toMillis()));
        List<JobId> ids = IntStream.range(0, 2)
                .mapToObj(n -> jobs.jobs()
                        .with(JobOptions.DEFAULT.withTimeout(Duration.ofMillis(100)))
                        .enqueue(new Mail(n)))
                .toList();

        until(() -> states(jobs, ids).equals(Set.of(StateName.FAILED)));

        for (JobId id : ids) {
            JobState.Failed failed =
                    assertInstanceOf(JobState.Failed.class, find(jobs, id).state());
            assertEquals(JobTimeoutException.class.getName(), failed.failure().type());
        }
    }

    @Test
    final void a_server_that_stops_gives_back_what_waits_and_what_it_interrupts() throws Exception {
        CountDownLatch runs = new CountDownLatch(1);
        Treadle jobs = start(2, NEVER, mails -> {
            runs.countDown();
            Thread.sleep(NEVER.toMillis());
        });
        List<JobId> running = enqueue(jobs, 2);
        assertTrue(runs.await(60, TimeUnit.SECONDS));
        List<JobId> gathering = enqueue(jobs, 10, 1);
        until(() -> state(jobs, gathering.get(0)) == StateName.PROCESSING);

        jobs.server().orElseThrow().close();

        assertEquals(Set.of(StateName.ENQUEUED), states(jobs, running));
        assertEquals(Set.of(StateName.ENQUEUED), states(jobs, gathering));
        assertEquals(0, find(jobs, running.get(0)).attempt(), "the attempt does not count");
        assertEquals(1, calls.size());
    }

    @Test
    final void jobs_of_a_key_come_into_a_chunk_as_far_as_their_slots_allow() {
        Treadle jobs = start(10, SOON, mails -> {});
        List<JobId> ids = IntStream.range(0, 4)
                .mapToObj(n -> jobs.jobs()
                        .with(JobOptions.DEFAULT.withKey(KeyRule.limit("smtp", 2)))
                        .enqueue(new Mail(n)))
                .toList();

        until(() -> states(jobs, ids).equals(Set.of(StateName.SUCCEEDED)));

        assertEquals(List.of(2, 2), calls.stream().map(List::size).toList());
    }

    @Test
    final void interceptors_are_called_around_the_call() {
        Queue<String> seen = new ConcurrentLinkedQueue<>();
        AtomicInteger deep = new AtomicInteger();
        Treadle jobs = start(
                builder()
                        .intercept(new JobInterceptor() {
                            @Override
                            public void onRunChunk(List<Running> chunk, Next next) throws Throwable {
                                seen.add("chunk of " + chunk.size());
                                next.run();
                            }
                        })
                        .intercept(new JobInterceptor() {
                            @Override
                            public @Nullable Object onRun(Job job, JobContext context, Next next) throws Throwable {
                                deep.incrementAndGet();
                                assertEquals(job.id(), context.jobId());
                                return next.run();
                            }
                        }),
                3,
                NEVER,
                mails -> seen.add("call at " + deep.get()));
        List<JobId> ids = enqueue(jobs, 3);

        until(() -> states(jobs, ids).equals(Set.of(StateName.SUCCEEDED)));

        assertEquals(List.of("chunk of 3", "call at 3"), List.copyOf(seen));
    }

    @Test
    final void steps_progress_and_log_lines_are_those_of_each_job_and_nothing_waits() {
        Treadle jobs = start(2, NEVER, mails -> {
            for (ChunkJob<Mail, String> mail : mails) {
                JobContext job = mail.context();
                job.log("mail " + mail.request().number());
                mail.succeed(job.step("once", () -> "step " + mail.request().number()));
            }
            JobContext job = mails.get(0).context();
            assertThrows(IllegalStateException.class, () -> job.spawn("child", new Other()));
            assertThrows(IllegalStateException.class, () -> job.sleep("nap", SOON));
            assertThrows(IllegalStateException.class, () -> job.use("pdf"));
            assertNull(JobContext.currentOrNull());
        });
        List<JobId> ids = enqueue(jobs, 2);

        until(() -> states(jobs, ids).equals(Set.of(StateName.SUCCEEDED)));

        for (int n = 0; n < 2; n++) {
            assertEquals(
                    "step " + n, jobs.jobs().result(ids.get(n), String.class).orElseThrow());
            assertEquals(
                    "mail " + n,
                    jobs.jobs().notes(ids.get(n)).orElseThrow().log().get(0).text());
        }
    }

    private static ChunkJob<Mail, String> byNumber(List<ChunkJob<Mail, String>> mails, int number) {
        return mails.stream()
                .filter(mail -> mail.request().number() == number)
                .findFirst()
                .orElseThrow();
    }

    private static List<JobId> enqueue(Treadle treadle, int count) {
        return enqueue(treadle, 0, count);
    }

    private static List<JobId> enqueue(Treadle treadle, int from, int count) {
        return treadle.jobs().enqueueAll(IntStream.range(from, from + count).mapToObj(Mail::new));
    }

    private static Job find(Treadle treadle, JobId id) {
        return treadle.jobs().find(id).orElseThrow().job();
    }

    private static StateName state(Treadle treadle, JobId id) {
        return find(treadle, id).state().name();
    }

    private static Set<StateName> states(Treadle treadle, List<JobId> ids) {
        return ids.stream().map(id -> state(treadle, id)).collect(Collectors.toSet());
    }

    private static HistoryEntry last(Treadle treadle, JobId id) {
        List<HistoryEntry> history = treadle.jobs().find(id).orElseThrow().history();
        return history.get(history.size() - 1);
    }

    private static void until(BooleanSupplier done) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!done.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("it takes too long");
            }
            LockSupport.parkNanos(5_000_000);
        }
    }
}
