package dev.treadle.contracts.storage;

import static dev.treadle.job.StateName.ENQUEUED;
import static dev.treadle.job.StateName.SCHEDULED;
import static dev.treadle.job.StateName.SUCCEEDED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.treadle.job.Due;
import dev.treadle.job.Invocation;
import dev.treadle.job.Job;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.RetryPolicy;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.Lease;
import dev.treadle.storage.NewJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What every storage must do when jobs are put in. Extend it, hand over an empty storage, and it runs. */
public abstract class InsertContract extends StorageContract {
    private static final Due LATER = new Due.After(Jobs.LONG);

    /** For subclasses. */
    protected InsertContract() {}

    @Test
    final void a_new_job_is_kept_as_it_was_given() {
        RetryPolicy policy = RetryPolicy.DEFAULT
                .withAttempts(7)
                .withDelays(Duration.ofMillis(1500), Duration.ofMinutes(3))
                .withFactor(1.5)
                .withJitter(0.25);
        NewJob given = new NewJob(
                jobs.nextId(),
                new Invocation("com.acme.A", "b(int)", "[1]"),
                Due.NOW,
                JobTraits.DEFAULT
                        .withPriority(-3)
                        .withRetries(policy)
                        .withTimeout(Duration.ofMillis(1500))
                        .withName("Slip of \"Zoë\"")
                        .withLabels("slips", "2026-11")
                        .withHeader("tenant", "Zoë & \"Co\"")
                        .withHeader("empty", ""));

        Job kept = Stories.of(storage, keep(given)).job();

        assertEquals(given.id(), kept.id());
        assertEquals(given.invocation(), kept.invocation());
        assertEquals(given.traits(), kept.traits());
        assertEquals(0, kept.attempt());
        assertStates(given.id(), ENQUEUED);
        assertEquals(given.traits(), storage.claim(NODE, 1).get(0).job().traits());
    }

    @Test
    final void a_job_needs_neither_a_method_nor_a_retry_policy() {
        Job kept = claimed(jobs.calling("com.acme.GenerateSlip", null, "{}")).job();

        assertNull(kept.invocation().method());
        assertNull(kept.retries());
        assertEquals("com.acme.GenerateSlip", kept.invocation().target());
    }

    @Test
    final void the_lowest_and_the_highest_priority_are_kept() {
        JobId last = keep(jobs.withPriority(JobTraits.PRIORITY_MAX));
        JobId first = keep(jobs.withPriority(JobTraits.PRIORITY_MIN));

        List<Lease> taken = storage.claim(NODE, 2);

        assertEquals(List.of(first, last), idsOf(taken));
        assertEquals(JobTraits.PRIORITY_MIN, taken.get(0).job().priority());
    }

    @Test
    final void an_id_that_is_there_is_answered_and_the_first_body_stays() {
        NewJob first = jobs.withArguments("[\"first\"]");
        keep(first);
        NewJob again = new NewJob(
                first.id(), new Invocation("com.acme.Else", null, "{}"), LATER, JobTraits.DEFAULT.withPriority(9));
        NewJob fresh = jobs.anEnqueuedJob();

        assertEquals(Set.of(first.id()), storage.insert(List.of(again, fresh)));

        assertEquals(first.invocation(), Stories.of(storage, first.id()).job().invocation());
        assertEquals(Set.of(first.id(), fresh.id()), new HashSet<>(idsOf(storage.claim(NODE, FULL))));
        assertEquals(List.of(), storage.claim(NODE, FULL));
    }

    @Test
    final void a_job_that_has_ended_does_not_run_again_when_it_is_inserted_again() {
        NewJob job = jobs.anEnqueuedJob();
        assertWritten(Endings.completed(claimed(job)));

        assertEquals(Set.of(job.id()), storage.insert(List.of(job)));

        assertStates(job.id(), SUCCEEDED);
        assertEquals(List.of(), storage.claim(NODE, FULL));
    }

    @Test
    final void an_id_twice_in_one_batch_is_one_job_and_the_first_of_them() {
        assertFirstIsKept(Due.NOW, Due.NOW, ENQUEUED);
        assertFirstIsKept(Due.NOW, LATER, ENQUEUED);
        assertFirstIsKept(LATER, Due.NOW, SCHEDULED);
        assertFirstIsKept(LATER, new Due.After(Jobs.LONG.plusDays(1)), SCHEDULED);
    }

    private void assertFirstIsKept(Due first, Due second, StateName state) {
        NewJob one = new NewJob(jobs.nextId(), new Invocation("com.acme.First", null, "{}"), first, JobTraits.DEFAULT);
        NewJob two = new NewJob(one.id(), new Invocation("com.acme.Second", null, "{}"), second, JobTraits.DEFAULT);

        storage.insert(List.of(one, two));

        assertEquals(one.invocation(), Stories.of(storage, one.id()).job().invocation());
        assertStates(one.id(), state);
        assertEquals(state == ENQUEUED ? List.of(one.id()) : List.of(), idsOf(storage.claim(NODE, FULL)));
    }

    @Test
    final void a_full_batch_of_due_and_later_jobs_is_kept() {
        List<NewJob> due = jobs.enqueuedJobs(FULL / 2);
        List<NewJob> batch = new ArrayList<>(due);
        while (batch.size() < FULL) {
            batch.add(batch.size() % (FULL / 2), jobs.aJobDueIn(Jobs.LONG));
        }

        assertEquals(Set.of(), storage.insert(batch));

        assertEquals(
                new HashSet<>(due.stream().map(NewJob::id).toList()), new HashSet<>(idsOf(storage.claim(NODE, FULL))));
        Map<JobId, StateName> states =
                storage.queries().states(batch.stream().map(NewJob::id).toList());
        assertEquals(FULL, states.size());
        assertEquals(FULL / 2, Collections.frequency(states.values(), SCHEDULED));
    }

    @Test
    final void an_empty_batch_changes_nothing() {
        assertEquals(Set.of(), storage.insert(List.of()));
        assertEquals(List.of(), storage.claim(NODE, 1));
    }
}
