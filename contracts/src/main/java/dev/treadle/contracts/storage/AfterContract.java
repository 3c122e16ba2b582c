package dev.treadle.contracts.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.AfterRule;
import dev.treadle.job.Due;
import dev.treadle.job.GateId;
import dev.treadle.job.JobId;
import dev.treadle.job.JobState;
import dev.treadle.job.JobTraits;
import dev.treadle.job.KeyRule;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Gate;
import dev.treadle.lifecycle.JobAction;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RetentionSettings;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.admin.JobSearch.GateSeen;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What every storage must do with jobs that run after others. Extend it, hand over an empty storage, and it runs. */
public abstract class AfterContract extends GateWords {
    /** For subclasses. */
    protected AfterContract() {}

    @Test
    final void a_job_runs_after_another_has_succeeded() {
        Lease first = claimed();
        JobId next = keepAfter(AfterRule.AFTER_SUCCESS, id(first));
        assertEquals(0, open());
        assertEquals(StateName.WAITING, state(next));
        assertEquals(1, storage.search().counts().get(StateName.WAITING));

        assertEquals(WriteResult.FOLLOWED, record(Endings.completed(first)));

        assertTrue(storage.outlook(NODE).gates(), "somebody has to look");
        assertEquals(1, open());
        assertFalse(storage.outlook(NODE).gates(), "all was looked at");
        assertEquals(1, claim(NODE, next).job().attempt());
        assertEquals(0, storage.search().counts().get(StateName.WAITING));
        assertEquals(0, open(), "its gate has opened");
    }

    @Test
    final void it_does_so_wherever_the_other_stood_when_it_was_put_after_it() {
        for (StateName state :
                List.of(StateName.ENQUEUED, StateName.SCHEDULED, StateName.PARKED, StateName.PROCESSING)) {
            JobId first = aJobThatIs(state);
            JobId next = keepAfter(AfterRule.AFTER_SUCCESS, first);
            assertEquals(0, open());
            Lease lease = switch (state) {
                case PROCESSING -> storage.leasesOf(NODE).get(0);
                case PARKED -> {
                    assertEquals(WriteResult.WRITTEN, storage.runAgain(first, ANNA));
                    yield claim(NODE, first);
                }
                case SCHEDULED -> {
                    assertEquals(
                            List.of(WriteResult.WRITTEN), storage.act(JobAction.RUN_NOW, ANNA, List.of(first), null));
                    yield claim(NODE, first);
                }
                default -> claim(NODE, first);
            };

            recordWritten(lease);

            assertEquals(1, open(), "it was " + state);
            recordWritten(claim(NODE, next));
        }
    }

    @Test
    final void those_that_have_ended_already_count_at_once() {
        JobId done = aJobThatIs(StateName.SUCCEEDED);
        JobId failed = aJobThatIs(StateName.FAILED);
        JobId success = keepAfter(AfterRule.AFTER_SUCCESS, done);
        JobId failure = keepAfter(AfterRule.AFTER_FAILURE, failed, done);
        JobId end = keepAfter(AfterRule.AFTER_END, failed, done);
        JobId waits = keepAfter(AfterRule.AFTER_SUCCESS, failed, done);

        assertEquals(3, open());

        assertEquals(StateName.ENQUEUED, state(success));
        assertEquals(StateName.ENQUEUED, state(failure));
        assertEquals(StateName.ENQUEUED, state(end));
        assertEquals(StateName.WAITING, state(waits));
        Gate gate = gates().find(GateId.after(waits)).orElseThrow();
        assertEquals(2, gate.need());
        assertEquals(2, gate.ended());
        assertEquals(1, gate.failed());
        assertEquals(
                List.of(new GateSeen(gate, null, AfterRule.AFTER_SUCCESS, null)),
                storage.search().gates(List.of(waits), 0, FULL));
    }

    @Test
    final void a_failed_job_that_succeeds_when_it_is_run_again_completes_the_chain() {
        Lease first = claimed();
        JobId second = keepAfter(AfterRule.AFTER_SUCCESS, id(first));
        JobId third = keepAfter(AfterRule.AFTER_SUCCESS, second);
        record(Endings.failed(first));
        assertEquals(0, open());
        assertEquals(StateName.WAITING, state(second));
        assertEquals(StateName.WAITING, state(third));

        assertEquals(WriteResult.WRITTEN, storage.runAgain(id(first), ANNA));
        assertEquals(0, open());
        recordWritten(claim(NODE, id(first)));
        assertEquals(1, open());
        recordWritten(claim(NODE, second));
        assertEquals(1, open());

        recordWritten(claim(NODE, third));
    }

    @Test
    final void a_retry_is_no_end() {
        Lease first = claimed();
        JobId next = keepAfter(AfterRule.AFTER_END, id(first));
        record(Endings.threw(first, Duration.ofMillis(1)));
        assertEquals(0, open());
        assertEquals(StateName.WAITING, state(next));

        recordWritten(claim(NODE, id(first)));

        assertEquals(1, open());
    }

    @Test
    final void a_cancelled_job_cancels_those_that_run_after_it_and_those_after_them() {
        Lease first = claimed();
        JobId second = keepAfter(AfterRule.AFTER_SUCCESS, id(first));
        JobId third = keepAfter(AfterRule.AFTER_SUCCESS, second);
        JobId end = keepAfter(AfterRule.AFTER_END, third);
        JobId failure = keepAfter(AfterRule.AFTER_FAILURE, id(first), second);

        assertEquals(WriteResult.WRITTEN, storage.cancel(id(first), ANNA));
        assertEquals(1, open());

        assertEquals(StateName.CANCELLED, state(second));
        assertEquals(
                "treadle",
                assertInstanceOf(
                                JobState.Cancelled.class,
                                storage.queries()
                                        .find(third)
                                        .orElseThrow()
                                        .job()
                                        .state())
                        .by());
        assertEquals(StateName.CANCELLED, state(failure), "none can fail any more");
        assertEquals(StateName.ENQUEUED, state(end));
    }

    @Test
    final void a_job_after_a_failure_is_cancelled_when_none_failed() {
        Lease a = claimed();
        Lease b = claimed();
        JobId alarm = keepAfter(AfterRule.AFTER_FAILURE, id(a), id(b));
        record(Endings.completed(a));
        assertEquals(0, open());
        assertEquals(StateName.WAITING, state(alarm));
        record(Endings.completed(b));
        assertEquals(0, open());

        assertEquals(StateName.CANCELLED, state(alarm));
        assertEquals(0, storage.search().counts().get(StateName.WAITING));
    }

    @Test
    final void a_job_after_a_failure_runs_at_the_first() {
        Lease a = claimed();
        Lease b = claimed();
        JobId alarm = keepAfter(AfterRule.AFTER_FAILURE, id(a), id(b));
        record(Endings.failed(b));
        assertEquals(1, open());
        assertEquals(StateName.ENQUEUED, state(alarm));
    }

    @Test
    final void a_waiting_job_that_is_cancelled_stays_so() {
        Lease first = claimed();
        JobId next = keepAfter(AfterRule.AFTER_SUCCESS, id(first));
        assertEquals(WriteResult.WRITTEN, storage.cancel(next, ANNA));
        record(Endings.completed(first));

        assertEquals(0, open());
        assertEquals(StateName.CANCELLED, state(next));
        assertEquals(WriteResult.WRITTEN, storage.runAgain(next, ANNA), "and runs at once when it is run again");
        claim(NODE, next);
    }

    @Test
    final void deleted_jobs_count_as_they_had_ended() {
        JobId done = aJobThatIs(StateName.SUCCEEDED);
        JobId waiting = aJobThatIs(StateName.SCHEDULED);
        JobId success = keepAfter(AfterRule.AFTER_SUCCESS, done);
        JobId never = keepAfter(AfterRule.AFTER_SUCCESS, done, waiting);
        JobId end = keepAfter(AfterRule.AFTER_END, waiting);
        delete(done);
        delete(waiting);

        assertEquals(2, open());

        assertEquals(StateName.ENQUEUED, state(success));
        assertEquals(StateName.ENQUEUED, state(end));
        assertEquals(StateName.CANCELLED, state(never));
    }

    @Test
    final void what_does_not_exist_is_refused_and_nothing_is_kept() {
        JobId there = enqueued();
        JobId missing = jobs.nextId();
        NewJob plain = jobs.anEnqueuedJob();
        NewJob next = after(AfterRule.AFTER_END, there, missing);

        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> storage.insert(List.of(plain, next)));

        assertTrue(String.valueOf(refused.getMessage()).contains(missing.toString()), refused::getMessage);
        assertFalse(storage.queries().find(plain.id()).isPresent());
        assertFalse(storage.queries().find(next.id()).isPresent());
        assertEquals(there, claim(NODE, there).job().id());
    }

    @Test
    final void none_can_wait_for_itself() {
        NewJob job = jobs.anEnqueuedJob();
        assertThrows(IllegalArgumentException.class, () -> after(job, AfterRule.AFTER_END, job.id()));
        NewJob other = after(AfterRule.AFTER_END, job.id());
        NewJob circle = after(job, AfterRule.AFTER_END, other.id());

        assertThrows(IllegalArgumentException.class, () -> storage.insert(List.of(other, circle)));
    }

    @Test
    final void a_job_that_is_there_already_is_left_as_it_is() {
        Lease first = claimed();
        NewJob next = after(AfterRule.AFTER_SUCCESS, id(first));
        assertEquals(Set.of(), storage.insert(List.of(next)));
        assertEquals(Set.of(next.id()), storage.insert(List.of(next)));
        record(Endings.completed(first));
        assertEquals(1, open());
        recordWritten(claim(NODE, next.id()));
        delete(id(first));

        assertEquals(Set.of(next.id()), storage.insert(List.of(next)), "also when the other is gone by now");
        assertEquals(StateName.SUCCEEDED, state(next.id()));
    }

    @Test
    final void jobs_after_others_are_kept_together_with_those_that_are_not() {
        JobId first = enqueued();
        NewJob keyed = jobs.withTraits(JobTraits.DEFAULT.withKey(KeyRule.limit("tenant", 1)));
        NewJob plain = jobs.anEnqueuedJob();
        NewJob next = after(AfterRule.AFTER_END, first);
        storage.insert(List.of(plain, next, keyed));

        assertDueOnce(List.of(first, plain.id(), keyed.id()));
        assertEquals(1, open());
        assertDueOnce(List.of(next.id()));
    }

    @Test
    final void many_run_after_one_and_one_after_many() {
        List<NewJob> many = jobs.enqueuedJobs(FULL);
        storage.insert(many);
        JobId last =
                keepAfter(AfterRule.AFTER_SUCCESS, many.stream().map(NewJob::id).toArray(JobId[]::new));
        List<NewJob> fan = Stream.generate(() -> after(AfterRule.AFTER_END, last))
                .limit(450)
                .toList();
        storage.insert(fan);
        assertEquals(0, open());
        recordAll(storage.claim(NODE, FULL).stream().map(Endings::completed).toList());
        assertEquals(1, open());
        recordWritten(claim(NODE, last));

        assertEquals(450, open());
        assertEquals(450, storage.claim(NODE, FULL).size());
    }

    @Test
    final void keys_and_chains_go_together() {
        JobTraits one = JobTraits.DEFAULT.withKey(KeyRule.limit("tenant", 1));
        Lease first = claimed(jobs.withTraits(one));
        JobId line = keep(jobs.withTraits(one));
        JobId afterLine = keep(after(jobs.withTraits(one), AfterRule.AFTER_SUCCESS, line, id(first)));
        assertEquals(0, open());
        record(Endings.completed(first));
        open();
        Lease second = claim(NODE, line);
        record(Endings.completed(second));

        assertEquals(1, open());
        recordWritten(claim(NODE, afterLine));
        recordWritten(claimed(jobs.withTraits(one)));
    }

    @Test
    final void a_job_whose_node_was_lost_for_good_has_failed() {
        Lease first = claimed();
        JobId alarm = keepAfter(AfterRule.AFTER_FAILURE, id(first));
        assertEquals(1, storage.rescue(List.of(Endings.lost(first))).size());

        assertEquals(1, open());
        assertEquals(StateName.ENQUEUED, state(alarm));
    }

    @Test
    final void a_job_that_waits_for_another_can_spawn_and_wait_for_children_later() {
        Lease first = claimed();
        JobId next = keepAfter(AfterRule.AFTER_SUCCESS, id(first));
        record(Endings.completed(first));
        open();
        Lease running = claim(NODE, next);
        spawn(running, "after", 1);
        suspend(running, "after", dev.treadle.job.JoinRule.ALL_SUCCEED);
        assertEquals(0, open());
        assertEquals(WriteResult.WRITTEN, storage.runAgain(id(first), ANNA));
        recordWritten(take(NODE, id(first)));
        assertEquals(0, open(), "its own child has not ended");
        assertEquals(2, storage.search().gates(List.of(next), 0, FULL).size());

        recordWritten(take(NODE, child(running, "after", 0)));
        assertEquals(1, open());
    }

    @Test
    final void retention_keeps_jobs_that_others_wait_to_run_after() {
        Lease first = claimed();
        Lease other = claimed();
        JobId next = keepAfter(AfterRule.AFTER_END, id(first), id(other));
        record(Endings.completed(first));
        open();
        RetentionSettings none =
                RetentionSettings.FOR_EVER.withUsual(RetentionSettings.Ages.FOR_EVER.withSucceeded(Duration.ZERO));

        retire(none);
        assertTrue(storage.queries().find(id(first)).isPresent());
        record(Endings.completed(other));
        open();
        recordWritten(claim(NODE, next));
        retire(none);

        assertFalse(storage.queries().find(id(first)).isPresent());
        assertFalse(storage.queries().find(next).isPresent());
        assertEquals(List.of(), storage.search().gates(List.of(next), 0, FULL));
    }

    private void retire(RetentionSettings settings) {
        for (int step = 0; step < 10; step++) {
            storage.deleteEnded(NODE, settings, FULL);
        }
    }

    private void recordWritten(Lease lease) {
        assertInstanceOf(WriteResult.Written.class, record(Endings.completed(lease)));
    }

    private JobId keepAfter(AfterRule rule, JobId... ids) {
        return keep(after(rule, ids));
    }

    private NewJob after(AfterRule rule, JobId... ids) {
        return after(jobs.anEnqueuedJob(), rule, ids);
    }

    private static NewJob after(NewJob job, AfterRule rule, JobId... ids) {
        return new NewJob(job.id(), job.invocation(), new Due.AfterJobs(rule, List.of(ids)), job.traits());
    }

    private static JobId id(Lease lease) {
        return lease.job().id();
    }
}
