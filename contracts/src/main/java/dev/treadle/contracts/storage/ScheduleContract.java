package dev.treadle.contracts.storage;

import static dev.treadle.job.StateName.ENQUEUED;
import static dev.treadle.job.StateName.SCHEDULED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.Due;
import dev.treadle.job.JobId;
import dev.treadle.job.JobState;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.StorageProvider.Promotion;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What every storage must do with jobs that wait for their time. Extend it, hand over an empty storage, and it runs. */
public abstract class ScheduleContract extends StorageContract {
    private static final Instant FAR = Instant.parse("2199-12-31T23:59:59.123456Z");
    private static final Duration SOON = Duration.ofMillis(200);

    /** For subclasses. */
    protected ScheduleContract() {}

    @Test
    final void a_job_due_at_an_instant_waits_for_exactly_that() {
        JobId id = keep(jobs.aJobDueAt(FAR));

        assertEquals(FAR, stateOf(id, JobState.Scheduled.class).dueAt());
        assertStates(id, SCHEDULED);
        assertEquals(0, storage.promote(FULL).moved());
        assertEquals(List.of(), storage.claim(NODE, FULL));
    }

    @Test
    final void a_job_due_after_a_delay_waits_so_long_from_its_insertion() {
        JobId id = keep(jobs.aJobDueIn(Jobs.LONG));

        Instant dueAt = stateOf(id, JobState.Scheduled.class).dueAt();
        Duration wait = Duration.between(Stories.of(storage, id).job().createdAt(), dueAt);
        assertTrue(wait.minus(Jobs.LONG).abs().toSeconds() < 1, () -> "due after " + wait + ", not " + Jobs.LONG);
    }

    @Test
    final void a_job_is_given_out_when_its_time_has_come_and_not_before() {
        long before = System.nanoTime();
        JobId id = keep(jobs.aJobDueIn(SOON));

        assertEquals(1, claim(NODE, id).job().attempt());

        Duration waited = Duration.ofNanos(System.nanoTime() - before);
        assertTrue(waited.compareTo(SOON) >= 0, () -> "given after " + waited + ", due after " + SOON);
    }

    @Test
    final void a_job_whose_time_has_passed_is_due_at_once() {
        for (Due due : List.of(
                new Due.At(Instant.parse("1999-12-31T23:59:59Z")),
                new Due.After(Duration.ZERO),
                new Due.After(HOUR.negated()))) {
            JobId id = keep(jobs.withPriority(0, due));

            assertStates(id, ENQUEUED);
            assertEquals(List.of(id), idsOf(storage.claim(NODE, FULL)));
        }
    }

    @Test
    final void jobs_are_moved_in_the_order_in_which_they_come_due_and_no_more_than_wanted() {
        NewJob third = jobs.aJobDueIn(SOON);
        NewJob first = jobs.withPriority(9, new Due.After(Duration.ofMillis(100)));
        NewJob second = jobs.aJobDueIn(Duration.ofMillis(150));
        storage.insert(List.of(third, first, second));
        Patience.pass(SOON.plusMillis(10));

        for (NewJob next : List.of(first, second, third)) {
            assertEquals(SCHEDULED, stateOf(next.id()));
            assertEquals(1, storage.promote(1).moved());
            assertStates(next.id(), ENQUEUED);
        }
        assertEquals(new Promotion(0, null), storage.promote(FULL));
        assertEquals(List.of(second.id(), third.id(), first.id()), idsOf(storage.claim(NODE, FULL)));
    }

    @Test
    final void a_job_whose_time_came_first_goes_first_though_it_was_moved_late() {
        JobId first = keep(jobs.aJobDueIn(Duration.ofMillis(1)));
        Patience.moment();
        JobId second = enqueued();

        assertEquals(1, storage.promote(FULL).moved());

        assertEquals(List.of(first, second), idsOf(storage.claim(NODE, FULL)));
    }

    @Test
    final void a_full_batch_comes_due_at_once() {
        Due due = new Due.After(Duration.ofMillis(1));
        storage.insert(
                Stream.generate(() -> jobs.withPriority(0, due)).limit(FULL).toList());
        Patience.moment();

        storage.promote(FULL);

        assertEquals(FULL, storage.claim(NODE, FULL).size());
    }

    @Test
    final void the_answer_says_how_long_until_the_next_job_is_due() {
        assertEquals(new Promotion(0, null), storage.promote(FULL));

        keep(jobs.aJobDueIn(Jobs.LONG));
        keep(jobs.aJobDueIn(HOUR));

        Duration untilNext = storage.promote(FULL).untilNext();
        assertNotNull(untilNext);
        assertTrue(
                untilNext.compareTo(HOUR) <= 0 && untilNext.compareTo(HOUR.minusMinutes(1)) > 0,
                () -> "next in " + untilNext);
    }

    @Test
    final void the_answer_is_zero_while_more_is_due_than_was_moved() {
        keep(jobs.aJobDueIn(Duration.ofMillis(1)));
        keep(jobs.aJobDueIn(SOON));
        Patience.pass(SOON.plusMillis(10));

        assertEquals(new Promotion(1, Duration.ZERO), storage.promote(1));
        Promotion last = storage.promote(1);
        assertEquals(1, last.moved());
        assertNull(last.untilNext());
    }

    @Test
    final void a_retry_is_counted_when_asking_for_the_next_job_due() {
        assertWritten(Endings.threw(claimed(), HOUR));

        Duration untilNext = storage.promote(FULL).untilNext();
        assertNotNull(untilNext);
        assertTrue(untilNext.compareTo(HOUR) <= 0, () -> "next in " + untilNext);
    }
}
