package dev.treadle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.api.JobOptions;
import dev.treadle.api.JobScheduler;
import dev.treadle.job.Failure;
import dev.treadle.job.GiveUpException;
import dev.treadle.job.HistoryEntry;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobRequestHandler;
import dev.treadle.job.RetryDecision;
import dev.treadle.job.RetryPolicy;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of jobs, seen through their stories. */
class LifeOfJobsTest {
    private static final Duration HOUR = Duration.ofHours(1);

    /** How far the storage's clock is ahead of ours. */
    private final AtomicReference<Duration> later = new AtomicReference<>(Duration.ZERO);

    private final StorageProvider storage =
            new InMemoryStorageProvider(() -> Instant.now().plus(later.get()));
    private final List<String> done = new CopyOnWriteArrayList<>();
    private final Map<String, Instant> doneAt = new ConcurrentHashMap<>();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final Treadle treadle = start(Work.QUICK.withWorkers(1));
    private final JobScheduler jobs = treadle.jobs();

    record Do(String what) implements JobRequest<Void> {}

    private Treadle start(JobServerSettings settings) {
        JobRequestHandler<Do> handler = (task, context) -> {
            work(task.what(), context);
            done.add(task.what());
            doneAt.put(task.what(), now());
        };
        return Treadle.on(storage)
                .settings(settings)
                .retryRule((thrown, attempt) -> thrown instanceof UnsupportedOperationException
                        ? RetryDecision.GIVE_UP
                        : RetryDecision.BY_POLICY)
                .handler(Do.class, handler)
                .start();
    }

    private void work(String what, JobContext context) throws InterruptedException {
        if (what.equals("wait")) {
            assertTrue(gate.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
        } else if (what.startsWith("fail until ") && context.attempt() < Integer.parseInt(what.substring(11))) {
            throw new IllegalStateException("not yet in attempt " + context.attempt());
        } else if (what.equals("give up")) {
            throw new GiveUpException("there is no such employee");
        } else if (what.equals("by rule")) {
            throw new UnsupportedOperationException("never will");
        }
    }

    @AfterEach
    void close() {
        gate.countDown();
        treadle.close();
    }

    @Test
    void a_job_scheduled_for_an_instant_runs_then_and_not_before() {
        Instant due = now().plus(HOUR);

        JobId id = jobs.schedule(due, new Do("at"));
        Await.pass(Duration.ofMillis(100));
        assertEquals(StateName.SCHEDULED, Work.state(storage, id));
        later.set(HOUR);
        Work.untilIn(StateName.SUCCEEDED, storage, id);

        assertTrue(!due.isAfter(doneAt("at")), () -> "due " + due + ", done " + doneAt("at"));
    }

    @Test
    void a_job_scheduled_after_a_duration_runs_then_and_not_before() {
        Instant before = now();

        JobId id = jobs.schedule(HOUR, new Do("after"));
        Await.pass(Duration.ofMillis(100));
        assertEquals(StateName.SCHEDULED, Work.state(storage, id));
        later.set(HOUR);
        Work.untilIn(StateName.SUCCEEDED, storage, id);

        assertTrue(!before.plus(HOUR).isAfter(doneAt("after")));
    }

    @Test
    void what_is_scheduled_for_the_past_runs_at_once() {
        Work.untilSucceeded(
                storage,
                List.of(
                        jobs.schedule(Instant.EPOCH, new Do("long ago")),
                        jobs.schedule(Duration.ofSeconds(-1), new Do("a second ago")),
                        jobs.schedule(Duration.ZERO, new Do("now"))));
    }

    @Test
    void what_is_more_urgent_runs_first() {
        JobId first = occupied();
        for (int priority : new int[] {5, -3, 0, 1_000, -1_000}) {
            jobs.with(JobOptions.DEFAULT.withPriority(priority)).enqueue(new Do("priority " + priority));
        }
        gate.countDown();
        Await.until("all have run", () -> done.size() == 6);

        Work.untilIn(StateName.SUCCEEDED, storage, first);
        assertEquals(
                List.of("wait", "priority -1000", "priority -3", "priority 0", "priority 5", "priority 1000"), done);
    }

    @Test
    void a_failed_attempt_is_retried_until_one_succeeds_and_the_story_tells_all() {
        JobId id = jobs.enqueue(new Do("fail until 3"));
        Work.untilIn(StateName.SUCCEEDED, storage, id);

        assertEquals(
                List.of("THREW 1 SCHEDULED", "THREW 2 SCHEDULED", "COMPLETED 3 SUCCEEDED"), Work.history(storage, id));
        HistoryEntry second = Work.story(storage, id).history().get(1);
        Failure why = second.why();
        assertNotNull(why);
        assertEquals("java.lang.IllegalStateException", why.type());
        assertEquals("not yet in attempt 2", why.message());
        assertTrue(why.trace().contains("LifeOfJobsTest"), why.trace());
        assertEquals(treadle.server().orElseThrow().self().id(), second.node());
        assertNotNull(second.ranFor());
    }

    @Test
    void when_no_attempt_is_left_it_has_failed() {
        RetryPolicy twice = Work.QUICK.retries().withAttempts(2);
        JobId id = jobs.with(JobOptions.DEFAULT.withRetries(twice)).enqueue(new Do("fail until 3"));
        Work.untilIn(StateName.FAILED, storage, id);

        assertEquals(List.of("THREW 1 SCHEDULED", "THREW 2 FAILED"), Work.history(storage, id));
    }

    @Test
    void a_job_that_gives_up_and_one_the_rule_gives_up_fail_at_once() {
        JobId itself = jobs.enqueue(new Do("give up"));
        JobId byRule = jobs.enqueue(new Do("by rule"));
        Work.untilIn(StateName.FAILED, storage, itself);
        Work.untilIn(StateName.FAILED, storage, byRule);

        assertEquals(List.of("THREW 1 FAILED"), Work.history(storage, itself));
        assertEquals(List.of("THREW 1 FAILED"), Work.history(storage, byRule));
    }

    @Test
    void a_job_that_waits_can_be_cancelled_and_run_again_and_its_story_says_by_whom() {
        JobId id = jobs.schedule(Duration.ofHours(1), new Do("later"));

        assertEquals(WriteResult.WRITTEN, jobs.cancel(id, "ada", "not this month"));
        assertEquals(StateName.CANCELLED, Work.state(storage, id));
        assertEquals(
                StateName.CANCELLED,
                assertInstanceOf(WriteResult.Stale.class, jobs.cancel(id, "ada", null))
                        .found());
        assertEquals(List.of(), done);

        assertEquals(WriteResult.WRITTEN, jobs.runAgain(id, "zoë", "after all"));
        Work.untilIn(StateName.SUCCEEDED, storage, id);

        assertEquals(
                List.of("CANCELLED 0 CANCELLED", "RUN_AGAIN 0 ENQUEUED", "COMPLETED 1 SUCCEEDED"),
                Work.history(storage, id));
        List<HistoryEntry> story = Work.story(storage, id).history();
        assertEquals("ada", story.get(0).by());
        assertEquals(
                "not this month",
                story.get(0).why() == null ? null : story.get(0).why().message());
        assertEquals("zoë", story.get(1).by());
    }

    @Test
    void the_result_of_a_job_that_was_cancelled_while_it_ran_is_refused() {
        JobId id = occupied();
        assertEquals(WriteResult.WRITTEN, jobs.cancel(id, "ada", null));
        gate.countDown();
        JobId next = jobs.enqueue(new Do("next"));
        Work.untilIn(StateName.SUCCEEDED, storage, next);

        assertEquals(StateName.CANCELLED, Work.state(storage, id));
        assertEquals(List.of("CANCELLED 1 CANCELLED"), Work.history(storage, id));
    }

    @Test
    void a_failed_job_that_is_run_again_has_all_its_attempts_before_it() {
        JobId id = jobs.enqueue(new Do("give up"));
        Work.untilIn(StateName.FAILED, storage, id);

        jobs.runAgain(id, "ada", null);
        Await.until("it has failed again", () -> Work.history(storage, id).size() == 3);

        assertEquals(List.of("THREW 1 FAILED", "RUN_AGAIN 1 ENQUEUED", "THREW 1 FAILED"), Work.history(storage, id));
    }

    @Test
    void a_job_that_is_not_there_is_missing() {
        JobId nobody = JobId.parse("01890a5d-ac96-774b-bcce-b302099a8057");

        assertEquals(WriteResult.MISSING, jobs.cancel(nobody, "ada", null));
        assertEquals(WriteResult.MISSING, jobs.runAgain(nobody, "ada", null));
        assertTrue(jobs.find(nobody).isEmpty());
        assertEquals(Map.of(), jobs.states(List.of(nobody)));
    }

    /** Keeps the only worker busy until the gate opens. */
    private JobId occupied() {
        JobId id = jobs.enqueue(new Do("wait"));
        Work.untilIn(StateName.PROCESSING, storage, id);
        return id;
    }

    /** By the storage's clock. */
    private Instant now() {
        return Instant.now().plus(later.get());
    }

    private Instant doneAt(String what) {
        return doneAt.getOrDefault(what, Instant.MAX);
    }
}
