package dev.treadle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.api.JobOptions;
import dev.treadle.api.JobScheduler;
import dev.treadle.job.DuplicateJobException;
import dev.treadle.job.EnqueueResult;
import dev.treadle.job.EnqueueResult.Answer;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobState;
import dev.treadle.job.KeyRule;
import dev.treadle.job.Unique;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The examples of docs/keys-and-limits.md. */
class KeysAndLimitsExampleTest {
    /** How far the storage's clock is ahead of ours. */
    private final AtomicReference<Duration> later = new AtomicReference<>(Duration.ZERO);

    private final StorageProvider storage =
            new InMemoryStorageProvider(() -> Instant.now().plus(later.get()));
    private final List<String> done = new CopyOnWriteArrayList<>();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final Treadle treadle = Treadle.on(storage)
            .settings(Work.QUICK.withWorkers(8))
            .handler(Ship.class, this::ship)
            .handler(Index.class, (index, job) -> {
                done.add(index.document() + " " + index.version());
            })
            .start();
    private final JobScheduler jobs = treadle.jobs();

    record Ship(int order, String step) implements JobRequest<Void> {}

    record Index(String document, int version) implements JobRequest<Void> {}

    private Void ship(Ship ship, JobContext job) throws InterruptedException {
        most.accumulateAndGet(running.incrementAndGet(), Math::max);
        try {
            if (ship.step().equals("wait")) {
                assertTrue(gate.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
            }
            if (ship.step().equals("fail once") && job.attempt() == 1) {
                throw new IllegalStateException("not yet");
            }
            Thread.sleep(1);
            done.add(ship.step());
            return null;
        } finally {
            running.decrementAndGet();
        }
    }

    @AfterEach
    void close() {
        gate.countDown();
        treadle.close();
    }

    @Test
    void jobs_of_a_mailbox_run_one_at_a_time_in_their_order_also_when_one_is_retried() {
        JobOptions order = JobOptions.DEFAULT.withKey(KeyRule.mailbox("order-42"));
        List<JobId> ids = new ArrayList<>();
        List<String> steps = List.of("ordered", "fail once", "packed", "sent", "billed");
        for (String step : steps) {
            ids.add(jobs.with(order).enqueue(new Ship(42, step)));
        }

        Work.untilSucceeded(storage, ids);
        assertEquals(steps, done);
        assertEquals(1, most.get());
    }

    @Test
    void a_job_that_waits_for_its_key_says_so_and_other_keys_pass() {
        JobOptions order = JobOptions.DEFAULT.withKey(KeyRule.mailbox("order-42"));
        JobId first = jobs.with(order).enqueue(new Ship(42, "wait"));
        JobId second = jobs.with(order).enqueue(new Ship(42, "sent"));
        JobId other = jobs.with(JobOptions.DEFAULT.withKey(KeyRule.mailbox("order-43")))
                .enqueue(new Ship(43, "sent"));

        Work.untilSucceeded(storage, List.of(other));
        JobState waits = Work.story(storage, second).job().state();
        assertEquals("order-42", ((JobState.Enqueued) waits).waitsFor());
        gate.countDown();
        Work.untilSucceeded(storage, List.of(first, second));
    }

    @Test
    void a_limit_holds_over_all_threads() {
        JobOptions api = JobOptions.DEFAULT.withKey(KeyRule.limit("partner-api", 2));
        List<JobId> ids = jobs.with(api).enqueueAll(IntStream.range(0, 60).mapToObj(i -> new Ship(i, "sync " + i)));

        Work.untilSucceeded(storage, ids);
        assertEquals(60, done.size());
        assertTrue(most.get() <= 2, () -> most + " ran at once");
    }

    @Test
    void a_big_tenant_leaves_room_for_a_small_one() {
        JobOptions big = JobOptions.DEFAULT.withKey(KeyRule.fair("big", 3));
        JobOptions small = JobOptions.DEFAULT.withKey(KeyRule.fair("small", 3));
        List<JobId> blocked = jobs.with(big).enqueueAll(IntStream.range(0, 100).mapToObj(i -> new Ship(i, "wait")));

        JobId quick = jobs.with(small).enqueue(new Ship(1, "small"));

        Work.untilSucceeded(storage, List.of(quick));
        assertEquals(List.of("small"), done);
        gate.countDown();
        Work.untilSucceeded(storage, blocked);
    }

    @Test
    void a_rate_spreads_jobs_over_time() {
        JobOptions mails = JobOptions.DEFAULT.withKey(KeyRule.rate("mail", 10, Duration.ofMillis(200)));
        long began = System.nanoTime();

        Work.untilSucceeded(
                storage, jobs.with(mails).enqueueAll(IntStream.range(0, 21).mapToObj(i -> new Ship(i, "mail"))));

        long took = System.nanoTime() - began;
        assertTrue(took >= Duration.ofMillis(400).toNanos(), () -> "21 mails took " + took + " ns");
    }

    @Test
    void a_second_job_of_a_name_is_not_kept() {
        JobOptions once = JobOptions.DEFAULT.withUnique(Unique.by("nightly-report"));
        JobId first = jobs.with(once).enqueue(new Ship(1, "wait"));

        EnqueueResult second = jobs.with(once).tryEnqueue(new Ship(1, "wait"));

        assertEquals(new EnqueueResult(Answer.KEPT, first), second);
        assertEquals(first, jobs.with(once).enqueue(new Ship(1, "wait")));
        JobOptions strict =
                JobOptions.DEFAULT.withUnique(Unique.by("nightly-report").onConflict(Unique.OnConflict.REJECT));
        DuplicateJobException refused = assertThrows(
                DuplicateJobException.class, () -> jobs.with(strict).enqueue(new Ship(1, "wait")));
        assertEquals(first, refused.holder());
        gate.countDown();
        Work.untilSucceeded(storage, List.of(first));
        assertEquals(
                Answer.ENQUEUED,
                jobs.with(once).tryEnqueue(new Ship(2, "again")).answer());
    }

    @Test
    void of_many_changes_in_a_short_time_the_last_is_worked_on_once() {
        JobOptions index = JobOptions.DEFAULT.withUnique(
                Unique.byArguments("document").whileWaiting().onConflict(Unique.OnConflict.REPLACE));
        Duration soon = Duration.ofMinutes(1);
        JobId other = jobs.with(index).schedule(soon, new Index("doc-2", 1));
        JobId first = jobs.with(index).schedule(soon, new Index("doc-1", 1));

        for (int version = 2; version <= 5; version++) {
            EnqueueResult result = jobs.with(index.withDelay(soon)).tryEnqueue(new Index("doc-1", version));
            assertEquals(new EnqueueResult(Answer.REPLACED, first), result);
        }

        later.set(soon);
        Work.untilSucceeded(storage, List.of(first, other));
        assertEquals(List.of("doc-1 5", "doc-2 1"), done.stream().sorted().toList());
    }

    @Test
    void what_cannot_be_a_unique_argument_is_said_at_once() {
        JobOptions wrong = JobOptions.DEFAULT.withUnique(Unique.byArguments("dokument"));

        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class, () -> jobs.with(wrong).enqueue(new Index("doc-1", 1)));

        assertTrue(String.valueOf(refused.getMessage()).contains("document"), refused::getMessage);
        assertEquals(List.of(), done);
    }
}
