package dev.treadle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.api.JobOptions;
import dev.treadle.api.RecurringJobs;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.StateName;
import dev.treadle.job.Unique;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.RecurringJob;
import dev.treadle.lifecycle.RecurringJob.Status;
import dev.treadle.schedule.Missed;
import dev.treadle.schedule.Overlap;
import dev.treadle.schedule.RecurringRules;
import dev.treadle.schedule.Schedule;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Recurring jobs from declaration to run, on a storage whose clock stands until a test moves it. */
class RecurringTest {
    private static final Instant START = Instant.parse("2026-03-04T00:30:00Z");
    private static final Schedule HOURLY = Schedule.cron("0 * * * *");
    private static final Schedule DAILY = Schedule.cron("0 2 * * *");

    private final AtomicReference<Instant> time = new AtomicReference<>(START);
    private final InMemoryStorageProvider storage = new InMemoryStorageProvider((InstantSource) time::get);
    private final Queue<JobId> runs = new ConcurrentLinkedQueue<>();
    private final Queue<CountDownLatch> holds = new ConcurrentLinkedQueue<>();
    private final Treadle treadle = Treadle.on(storage)
            .handler(Cleanup.class, this::run)
            .settings(Work.QUICK.withPollMax(Duration.ofMillis(20)))
            .start();
    private final RecurringJobs recurring = treadle.jobs().recurring();

    record Cleanup(int n) implements JobRequest<Void> {}

    private Void run(Cleanup request, JobContext job) throws InterruptedException {
        CountDownLatch hold = holds.poll();
        if (hold != null) {
            hold.await();
        }
        runs.add(job.jobId());
        return null;
    }

    @AfterEach
    void close() {
        holds.forEach(CountDownLatch::countDown);
        treadle.close();
    }

    @Test
    void each_slot_runs_one_job_and_none_before_its_time() {
        treadle.jobs().recurring("hourly", HOURLY, new Cleanup(1));
        Await.pass(Duration.ofMillis(60));
        assertEquals(0, runs.size());

        for (int hour = 1; hour <= 3; hour++) {
            time.set(Instant.parse("2026-03-04T0" + hour + ":00:00Z"));
            untilRuns(hour);
        }

        RecurringJob job = recurring.find("hourly").orElseThrow();
        assertEquals(
                Stream.of(1, 2, 3)
                        .map(hour -> job.jobId(Instant.parse("2026-03-04T0" + hour + ":00:00Z")))
                        .toList(),
                List.copyOf(runs));
        assertEquals(Instant.parse("2026-03-04T03:00:00Z"), job.progress().slot());
        assertEquals(
                job.jobId(Instant.parse("2026-03-04T03:00:00Z")), job.progress().job());
        assertEquals(Instant.parse("2026-03-04T04:00:00Z"), job.progress().next());
    }

    @Test
    void what_was_missed_is_made_up_for_as_the_rules_say() {
        recurring.declare("skip", HOURLY, RecurringRules.DEFAULT.withMissed(Missed.SKIP), new Cleanup(1));
        recurring.declare("once", HOURLY, RecurringRules.DEFAULT.withMissed(Missed.ONCE), new Cleanup(1));
        recurring.declare("all", HOURLY, RecurringRules.DEFAULT.withMissed(Missed.all(3)), new Cleanup(1));

        time.set(START.plus(Duration.ofHours(5)));
        untilRuns(4);
        untilNextIs("skip", "2026-03-04T06:00:00Z");
        untilNextIs("once", "2026-03-04T06:00:00Z");
        untilNextIs("all", "2026-03-04T06:00:00Z");

        assertEquals(4, runs.size());
        RecurringJob all = recurring.find("all").orElseThrow();
        for (int hour = 3; hour <= 5; hour++) {
            assertTrue(runs.contains(all.jobId(Instant.parse("2026-03-04T0" + hour + ":00:00Z"))));
        }
    }

    @Test
    void a_run_that_would_overlap_is_skipped() {
        CountDownLatch hold = hold();
        recurring.declare("skip", HOURLY, RecurringRules.DEFAULT.withOverlap(Overlap.SKIP), new Cleanup(1));
        time.set(Instant.parse("2026-03-04T01:00:00Z"));
        untilHeld();

        time.set(Instant.parse("2026-03-04T02:00:00Z"));
        untilNextIs("skip", "2026-03-04T03:00:00Z");
        hold.countDown();
        untilRuns(1);
        // not ended before that is written down: until then the next one would overlap too
        Work.untilIn(StateName.SUCCEEDED, storage, runs.element());
        time.set(Instant.parse("2026-03-04T03:00:00Z"));
        untilRuns(2);

        assertEquals(2, runs.size());
    }

    @Test
    void a_run_that_would_overlap_waits_for_the_one_before() {
        CountDownLatch hold = hold();
        RecurringRules rules = RecurringRules.DEFAULT
                .withOverlap(Overlap.QUEUE)
                .withMissed(Missed.all(10))
                .withMissedAfter(Duration.ofHours(12));
        recurring.declare("queue", HOURLY, rules, new Cleanup(1));
        time.set(Instant.parse("2026-03-04T01:00:00Z"));
        untilHeld();
        time.set(Instant.parse("2026-03-04T03:00:00Z"));
        Await.until("it waits", () -> find("queue").progress().awaited() != null);
        assertEquals(0, runs.size());

        hold.countDown();
        untilRuns(3);

        RecurringJob job = find("queue");
        assertEquals(
                Stream.of(1, 2, 3)
                        .map(hour -> job.jobId(Instant.parse("2026-03-04T0" + hour + ":00:00Z")))
                        .toList(),
                List.copyOf(runs));
    }

    @Test
    void a_fixed_delay_begins_when_the_run_before_has_ended() {
        CountDownLatch hold = hold();
        treadle.jobs().recurring("poll", Schedule.delay(Duration.ofMinutes(10)), new Cleanup(1));
        time.set(START.plus(Duration.ofMinutes(10)));
        untilHeld();
        time.set(START.plus(Duration.ofMinutes(35)));
        Await.pass(Duration.ofMillis(60));

        hold.countDown();
        untilRuns(1);
        untilNextIs("poll", START.plus(Duration.ofMinutes(45)).toString());
        time.set(START.plus(Duration.ofMinutes(45)));
        untilRuns(2);
    }

    @Test
    void jitter_makes_a_run_later_by_less_than_itself_and_differently_for_each() {
        RecurringRules rules = RecurringRules.DEFAULT.withJitter(Duration.ofMinutes(10));
        recurring.declare("a", HOURLY, rules, new Cleanup(1));
        recurring.declare("b", HOURLY, rules, new Cleanup(1));
        time.set(Instant.parse("2026-03-04T01:00:00Z"));
        untilNextIs("a", "2026-03-04T02:00:00Z");
        untilNextIs("b", "2026-03-04T02:00:00Z");
        Await.pass(Duration.ofMillis(60));
        assertEquals(0, runs.size());

        time.set(Instant.parse("2026-03-04T01:10:00Z"));
        untilRuns(2);
    }

    @Test
    void a_pause_lets_slots_pass_which_do_not_count_as_missed() {
        treadle.jobs().recurring("hourly", HOURLY, new Cleanup(1));
        assertEquals(WriteResult.WRITTEN, recurring.pause("hourly", "ann", "flooded"));
        time.set(START.plus(Duration.ofHours(3)));
        Await.pass(Duration.ofMillis(60));
        assertEquals(Status.PAUSED, find("hourly").standing().status());
        assertEquals("ann", find("hourly").standing().by());

        assertEquals(WriteResult.WRITTEN, recurring.resume("hourly", "ann", null));
        untilNextIs("hourly", "2026-03-04T04:00:00Z");
        time.set(Instant.parse("2026-03-04T04:00:00Z"));
        untilRuns(1);

        assertEquals(1, runs.size());
    }

    @Test
    void declaring_again_changes_what_the_code_decides_and_leaves_what_people_decided() {
        treadle.jobs().recurring("a", DAILY, new Cleanup(1));
        treadle.jobs().recurring("b", DAILY, new Cleanup(1));
        recurring.pause("a", "ann", null);
        recurring.reschedule("b", HOURLY, "ann", "more often");

        treadle.jobs().recurring("a", HOURLY, new Cleanup(2));
        treadle.jobs()
                .with(JobOptions.DEFAULT.withPriority(5))
                .recurring("b", Schedule.cron("0 3 * * *"), new Cleanup(2));

        assertEquals(Status.PAUSED, find("a").standing().status());
        assertEquals(HOURLY.toText(), find("a").plan().schedule());
        assertTrue(find("a").plan().invocation().arguments().contains("2"));
        assertEquals(HOURLY.toText(), find("b").plan().schedule());
        assertEquals("cron Z 0 3 * * *", find("b").plan().declared());
        assertEquals(5, find("b").plan().traits().priority());
        assertEquals(Instant.parse("2026-03-04T01:00:00Z"), find("b").progress().next());

        recurring.resetSchedule("b", "ann", null);
        assertEquals(Instant.parse("2026-03-04T03:00:00Z"), find("b").progress().next());
    }

    @Test
    void declaring_the_same_again_writes_nothing() {
        treadle.jobs().recurring("a", DAILY, new Cleanup(1));
        long version = find("a").version();

        treadle.jobs().recurring("a", DAILY, new Cleanup(1));

        assertEquals(version, find("a").version());
    }

    @Test
    void what_was_deleted_stays_so_however_often_it_is_declared_until_it_is_restored() {
        treadle.jobs().recurring("a", HOURLY, new Cleanup(1));
        assertEquals(WriteResult.WRITTEN, recurring.delete("a", "ann", "not any more"));

        treadle.jobs().recurring("a", HOURLY, new Cleanup(1));
        time.set(START.plus(Duration.ofHours(2)));
        Await.pass(Duration.ofMillis(60));

        assertEquals(0, runs.size());
        assertEquals(Optional.empty(), recurring.find("a"));
        assertEquals(List.of(), recurring.list());
        assertEquals(1, recurring.listDeleted().size());
        assertEquals(WriteResult.MISSING, recurring.resume("a", "ann", null));
        assertEquals(Optional.empty(), recurring.trigger("a"));
        assertEquals(WriteResult.WRITTEN, recurring.restore("a", "ann", null));
        untilNextIs("a", "2026-03-04T03:00:00Z");
    }

    @Test
    void a_run_by_hand_is_beside_the_schedule() {
        treadle.jobs().recurring("a", DAILY, new Cleanup(1));

        JobId job = recurring.trigger("a").orElseThrow();

        Work.untilIn(StateName.SUCCEEDED, storage, job);
        assertEquals(Instant.parse("2026-03-04T02:00:00Z"), find("a").progress().next());
    }

    @Test
    void what_is_not_there_is_missing() {
        assertEquals(WriteResult.MISSING, recurring.pause("x", "ann", null));
        assertEquals(WriteResult.MISSING, recurring.delete("x", "ann", null));
        assertEquals(WriteResult.MISSING, recurring.restore("x", "ann", null));
        assertEquals(WriteResult.MISSING, recurring.reschedule("x", DAILY, "ann", null));
    }

    @Test
    void ids_that_cannot_be_are_refused_at_once() {
        for (String bad : List.of("", "  ", "x".repeat(RecurringJob.ID_CHARS_MAX + 1))) {
            assertThrows(IllegalArgumentException.class, () -> treadle.jobs().recurring(bad, DAILY, new Cleanup(1)));
        }
        var withId =
                treadle.jobs().with(JobOptions.DEFAULT.withId(JobId.parse("0190c0c0-0000-7000-8000-000000000001")));
        assertThrows(IllegalArgumentException.class, () -> withId.recurring("x", DAILY, new Cleanup(1)));
    }

    @Test
    void unique_jobs_cannot_recur_and_the_message_says_what_can_be_said_instead() {
        var unique = treadle.jobs().with(JobOptions.DEFAULT.withUnique(Unique.byCall()));

        String message = assertThrows(
                        IllegalArgumentException.class, () -> unique.recurring("x", DAILY, new Cleanup(1)))
                .getMessage();

        assertTrue(message.contains("'x'") && message.contains("withOverlap"), message);
        assertEquals(Optional.empty(), recurring.find("x"));
    }

    @Test
    void the_arguments_are_in_the_name_of_each_of_its_jobs() {
        treadle.jobs()
                .with(JobOptions.DEFAULT.withName("Cleanup of {n}").withLabels("night"))
                .recurring("a", HOURLY, new Cleanup(7));
        assertEquals("Cleanup of 7", find("a").plan().traits().name());

        time.set(Instant.parse("2026-03-04T01:00:00Z"));
        untilRuns(1);

        var traits = treadle.jobs().find(runs.element()).orElseThrow().job().traits();
        assertEquals("Cleanup of 7", traits.name());
        assertEquals(Set.of("night"), traits.labels());
    }

    @Test
    void a_row_that_cannot_be_read_stops_no_other() {
        treadle.jobs().recurring("good", HOURLY, new Cleanup(1));
        treadle.jobs().recurring("bad", HOURLY, new Cleanup(1));
        RecurringJob bad = find("bad");
        assertTrue(storage.recurring().write(bad.with(bad.plan().withSchedule("cron Mars/Base 0 * * * *"))));

        time.set(Instant.parse("2026-03-04T01:00:00Z"));
        untilRuns(1);
        untilNextIs("bad", "2026-03-04T01:01:00Z");
    }

    private CountDownLatch hold() {
        CountDownLatch hold = new CountDownLatch(1);
        holds.add(hold);
        return hold;
    }

    private void untilHeld() {
        Await.until("a job has begun and waits", holds::isEmpty);
    }

    private RecurringJob find(String id) {
        return recurring.find(id).orElseThrow();
    }

    private void untilRuns(int expected) {
        Await.until(expected + " have run", () -> runs.size() >= expected);
    }

    private void untilNextIs(String id, String next) {
        Await.until(
                "the next of " + id + " is " + next,
                () -> Instant.parse(next).equals(find(id).progress().next()));
    }
}
