package dev.treadle.contracts.storage;

import static dev.treadle.job.StateName.CANCELLED;
import static dev.treadle.job.StateName.ENQUEUED;
import static dev.treadle.job.StateName.SCHEDULED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.Job;
import dev.treadle.job.JobId;
import dev.treadle.job.OperatorNote;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RecurringJob;
import dev.treadle.lifecycle.RecurringJob.Progress;
import dev.treadle.lifecycle.RecurringJob.Status;
import dev.treadle.schedule.Overlap;
import dev.treadle.schedule.RecurringRules;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.RecurringStorage;
import dev.treadle.storage.RecurringStorage.Advance;
import dev.treadle.storage.RecurringStorage.DueNow;
import dev.treadle.storage.RecurringStorage.Found;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every storage must do with recurring jobs. Extend it, hand over an empty storage, and it runs. */
public abstract class RecurringContract extends StorageContract {
    private static final RecurringRules QUEUED = RecurringRules.DEFAULT.withOverlap(Overlap.QUEUE);

    private RecurringStorage recurring;

    /** For subclasses. */
    protected RecurringContract() {}

    @BeforeEach
    final void takeThePort() {
        recurring = storage.recurring();
    }

    @Test
    final void what_was_written_is_found_with_all_its_properties_and_the_next_version() {
        for (RecurringJob job : List.of(Recurrences.unusual("a b/ü"), Recurrences.dueAt("plain", null))) {
            assertTrue(recurring.write(job));

            assertEquals(Optional.of(job.withVersion(1)), recurring.find(job.id()));
        }
        assertEquals(Optional.empty(), recurring.find("A B/Ü"));
    }

    @Test
    final void whoever_saw_an_older_version_writes_nothing() {
        RecurringJob job = Recurrences.dueAt("x", Recurrences.FAR);
        assertTrue(recurring.write(job));

        assertFalse(recurring.write(Recurrences.unusual("x")), "it is there already");
        assertFalse(recurring.write(Recurrences.unusual("x").withVersion(2)));
        assertFalse(recurring.write(Recurrences.unusual("y").withVersion(1)), "it is not there");
        assertEquals(Optional.of(job.withVersion(1)), recurring.find("x"));

        assertTrue(recurring.write(Recurrences.unusual("x").withVersion(1)));
        assertEquals(Optional.of(Recurrences.unusual("x").withVersion(2)), recurring.find("x"));
    }

    @Test
    final void all_are_listed_page_by_page_the_deleted_ones_too() {
        Set.of("c", "a", "b", "e", "d").forEach(id -> recurring.write(Recurrences.dueAt(id, null)));
        recurring.write(Recurrences.dueAt("f", null).with(Recurrences.standing(Status.DELETED)));

        List<String> ids = new ArrayList<>();
        for (List<RecurringJob> page = recurring.list("", 4); !page.isEmpty(); ) {
            page.forEach(job -> ids.add(job.id()));
            page = recurring.list(ids.get(ids.size() - 1) + "!", 4);
        }

        assertEquals(List.of("a", "b", "c", "d", "e", "f"), ids);
        assertEquals("c", recurring.list("c", 1).get(0).id(), "it begins with the one asked for");
        assertEquals(Optional.empty(), recurring.find("bb"), "the next one is another");
    }

    @Test
    final void what_is_due_is_found_with_one_question_the_longest_due_first_and_no_more_than_wanted() {
        Instant before = recurring.now();
        recurring.write(Recurrences.dueAt("later", Recurrences.PAST.plusSeconds(9)));
        recurring.write(Recurrences.dueAt("far", Recurrences.FAR));
        recurring.write(Recurrences.dueAt("none", null));
        recurring.write(Recurrences.dueAt("first", Recurrences.PAST));

        DueNow due = recurring.due(FULL);

        assertEquals(List.of("first", "later"), idsOf(due));
        assertEquals(Optional.of(due.found().get(0).recurring()), recurring.find("first"), "with all its properties");
        assertFalse(due.now().isBefore(before));
        assertEquals(Recurrences.FAR, due.now().plus(untilNext(due)));
        assertEquals(List.of("first"), idsOf(recurring.due(1)));
    }

    @Test
    final void nothing_is_due_and_nothing_is_next_in_an_empty_storage() {
        DueNow due = recurring.due(FULL);

        assertEquals(List.of(), due.found());
        assertNull(due.untilNext());
        assertTrue(Duration.between(recurring.now(), due.now()).abs().toSeconds() < 60);
    }

    @Test
    final void a_slot_is_due_at_its_instant_and_not_before() {
        Instant slot = recurring.now().plusMillis(200);
        recurring.write(Recurrences.with("x", QUEUED, Progress.from(slot)));

        Patience.untilTrue("x is due", () -> {
            DueNow due = recurring.due(FULL);
            assertEquals(due.now().isBefore(slot) ? List.of() : List.of("x"), idsOf(due));
            return !due.found().isEmpty();
        });
    }

    @Test
    final void a_slot_whose_runs_may_overlap_is_due_so_long_before_that_its_job_can_wait_for_it() {
        Instant now = recurring.now();
        recurring.write(Recurrences.dueAt("soon", now.plus(RecurringStorage.AHEAD)));
        recurring.write(
                Recurrences.dueAt("later", now.plus(RecurringStorage.AHEAD).plus(HOUR)));

        DueNow due = recurring.due(FULL);

        assertEquals(List.of("soon"), idsOf(due));
        assertEquals(now.plus(RecurringStorage.AHEAD).plus(HOUR), due.now().plus(untilNext(due)));
    }

    @Test
    final void what_shall_not_go_on_is_neither_due_nor_next() {
        for (Status status : List.of(Status.PAUSED, Status.DELETED)) {
            recurring.write(Recurrences.dueAt("due " + status, Recurrences.PAST).with(Recurrences.standing(status)));
            recurring.write(Recurrences.dueAt("next " + status, Recurrences.FAR).with(Recurrences.standing(status)));
            recurring.write(awaiting("waits " + status, jobs.nextId()).with(Recurrences.standing(status)));
        }

        assertEquals(List.of(), recurring.due(FULL).found());
        assertNull(recurring.due(FULL).untilNext());
    }

    @Test
    final void moving_on_writes_progress_and_jobs_together() {
        RecurringJob job = written(Recurrences.dueAt("x", Recurrences.PAST));
        NewJob now = NewJob.of(job, Recurrences.PAST);
        NewJob later = NewJob.of(job, Recurrences.FAR);
        Progress further = new Progress(Recurrences.FAR, Recurrences.PAST, now.id(), later.id());

        assertEquals(Set.of("x"), recurring.advance(List.of(new Advance(job, further, List.of(now, later)))));

        assertEquals(Optional.of(job.with(further).withVersion(2)), recurring.find("x"));
        assertStates(now.id(), ENQUEUED);
        assertStates(later.id(), SCHEDULED);
        Job kept = storage.claim(NODE, FULL).get(0).job();
        assertEquals(now.id(), kept.id());
        assertEquals(job.plan().invocation(), kept.invocation());
        assertEquals(job.plan().traits(), kept.traits());
    }

    @Test
    final void whoever_saw_an_older_version_moves_nothing_on_and_makes_no_job() {
        RecurringJob old = written(Recurrences.dueAt("old", Recurrences.PAST));
        RecurringJob fresh = written(Recurrences.dueAt("fresh", Recurrences.PAST));
        RecurringJob gone = Recurrences.dueAt("gone", Recurrences.PAST).withVersion(1);
        recurring.write(old.with(Recurrences.standing(Status.PAUSED)));

        Set<String> moved = recurring.advance(List.of(step(old), step(fresh), step(gone)));

        assertEquals(Set.of("fresh"), moved);
        assertEquals(
                Status.PAUSED, recurring.find("old").orElseThrow().standing().status());
        assertEquals(List.of(fresh.jobId(Recurrences.PAST)), idsOf(storage.claim(NODE, FULL)));
        assertEquals(Optional.empty(), recurring.find("gone"));
    }

    @Test
    final void a_job_that_is_there_already_is_left_as_it_is() {
        RecurringJob job = written(Recurrences.dueAt("x", Recurrences.PAST));
        Lease before = claimed(NewJob.of(job, Recurrences.PAST));

        assertEquals(Set.of("x"), recurring.advance(List.of(step(job))));

        assertEquals(List.of(), storage.claim(OTHER, FULL));
        assertWritten(Endings.completed(before));
    }

    @Test
    final void the_end_of_the_last_job_is_told_where_it_matters() {
        JobId running = claimed().job().id();
        recurring.write(last("allows", RecurringRules.DEFAULT, running));
        recurring.write(last("queues", QUEUED, running));
        assertNull(endOf("allows"));
        assertNull(endOf("queues"));

        storage.cancel(running, new OperatorNote("a test", null));

        assertStates(running, CANCELLED);
        Instant ended = Stories.of(storage, running).job().state().since();
        assertNull(endOf("allows"));
        assertEquals(ended, endOf("queues"));
        storage.runAgain(running, new OperatorNote("a test", null));
        assertNull(endOf("queues"), "it has not ended any more");
    }

    @Test
    final void what_waits_for_a_job_is_due_when_that_has_ended_however_it_did() {
        List<Lease> leases = claimed(4);
        for (int i = 0; i < leases.size(); i++) {
            recurring.write(awaiting("r" + i, leases.get(i).job().id()));
        }
        storage.record(List.of(
                Endings.completed(leases.get(0)),
                Endings.failed(leases.get(1)),
                Endings.threw(leases.get(2), HOUR),
                Endings.parked(leases.get(3))));

        DueNow due = recurring.due(FULL);

        assertEquals(Set.of("r0", "r1"), Set.copyOf(idsOf(due)));
        due.found().forEach(found -> assertNotNull(found.endedAt()));
        assertNull(due.untilNext(), "what waits for a job has no time");
    }

    @Test
    final void a_job_that_is_no_longer_kept_has_ended() {
        recurring.write(awaiting("x", jobs.nextId()));

        DueNow due = recurring.due(FULL);

        assertEquals(List.of("x"), idsOf(due));
        assertEquals(due.now(), due.found().get(0).endedAt());
    }

    @Test
    final void a_full_batch_is_moved_on_at_once() {
        IntStream.range(0, FULL).forEach(i -> recurring.write(Recurrences.dueAt("r" + i, Recurrences.PAST)));

        List<Advance> steps = recurring.due(FULL).found().stream()
                .map(found -> step(found.recurring()))
                .toList();

        assertEquals(FULL, recurring.advance(steps).size());
        assertEquals(List.of(), recurring.due(FULL).found());
        assertEquals(FULL, storage.claim(NODE, FULL).size());
    }

    @Test
    final void of_several_who_move_the_same_on_one_does_and_each_slot_has_one_job() {
        for (int round = 0; round < 10; round++) {
            int first = round * 20;
            List<Advance> steps = IntStream.range(first, first + 20)
                    .mapToObj(i -> step(written(Recurrences.dueAt("r" + i, Recurrences.PAST))))
                    .toList();

            List<Set<String>> moved = Together.times(4, () -> recurring.advance(steps));

            assertEquals(20, moved.stream().mapToInt(Set::size).sum());
            assertDueOnce(steps.stream().map(step -> step.jobs().get(0).id()).toList());
        }
    }

    @Test
    final void of_several_who_create_or_change_the_same_one_does() {
        for (int round = 0; round < 10; round++) {
            RecurringJob job = Recurrences.dueAt("r" + round, Recurrences.FAR);
            assertEquals(
                    1,
                    Together.times(4, () -> recurring.write(job)).stream()
                            .filter(won -> won)
                            .count());

            RecurringJob seen = job.withVersion(1);
            RecurringJob paused = seen.with(Recurrences.standing(Status.PAUSED));
            var both = Together.two(
                    () -> recurring.write(paused),
                    () -> !recurring.advance(List.of(step(seen))).isEmpty());
            assertTrue(both.exactlyOneIs(true), both::toString);
            JobId made = seen.jobId(Recurrences.PAST);
            assertEquals(both.other(), storage.queries().find(made).isPresent());
        }
    }

    private RecurringJob written(RecurringJob job) {
        assertTrue(recurring.write(job));
        return job.withVersion(job.version() + 1);
    }

    private static Advance step(RecurringJob seen) {
        NewJob job = NewJob.of(seen, Recurrences.PAST);
        return new Advance(seen, new Progress(Recurrences.FAR, Recurrences.PAST, job.id(), null), List.of(job));
    }

    private static RecurringJob last(String id, RecurringRules rules, JobId job) {
        return Recurrences.with(id, rules, new Progress(Recurrences.PAST, Recurrences.PAST, job, null));
    }

    private static RecurringJob awaiting(String id, JobId job) {
        return Recurrences.with(id, RecurringRules.DEFAULT, new Progress(null, Recurrences.PAST, job, job));
    }

    private Instant endOf(String id) {
        return recurring.due(FULL).found().stream()
                .filter(found -> found.recurring().id().equals(id))
                .findFirst()
                .orElseThrow()
                .endedAt();
    }

    private static Duration untilNext(DueNow due) {
        assertNotNull(due.untilNext());
        return due.untilNext();
    }

    private static List<String> idsOf(DueNow due) {
        return due.found().stream().map(Found::recurring).map(RecurringJob::id).toList();
    }
}
