package dev.treadle.contracts.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.EnqueueResult;
import dev.treadle.job.EnqueueResult.Answer;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.KeyRule;
import dev.treadle.job.OperatorAct;
import dev.treadle.job.StateName;
import dev.treadle.job.Unique.OnConflict;
import dev.treadle.job.Unique.Span;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RecurringJob;
import dev.treadle.lifecycle.UniqueTerms.Asked;
import dev.treadle.storage.NewJob;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * What every storage must do inside a transaction of the caller: others see all of it after the commit and nothing before,
 * and nothing is left after a rollback. A storage that has no transactions refuses. Extend it, hand over an empty
 * storage, and it runs.
 */
public abstract class TransactionContract extends JoinedStorage {
    private static final JobTraits LABELLED = JobTraits.DEFAULT.withLabels(LABEL);
    private static final OperatorAct ACT = new OperatorAct("TEST", ANNA, "a test");

    /** For subclasses. */
    protected TransactionContract() {}

    @Test
    final void a_storage_without_transactions_refuses_and_says_what_to_do() {
        if (storage.dataSource().isPresent()) {
            return;
        }
        Connection any = (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    throw new AssertionError("asked for " + method.getName());
                });

        String message = assertThrows(UnsupportedOperationException.class, () -> storage.in(any, null))
                .getMessage();

        assertTrue(message.contains("SqlStorageProvider"), message);
    }

    @Test
    final void a_job_that_is_due_now_with_its_labels() {
        NewJob job = jobs.withTraits(LABELLED);

        Set<JobId> existing = joins(about(job.id()), here -> {
            Set<JobId> found = here.insert(List.of(job));
            assertEquals(List.of(job.id()), here.queries().labelled(LABEL, null, 10), "its own transaction sees it");
            assertNotNull(here.queries().find(job.id()).orElseThrow());
            assertNothingToClaim();
            return found;
        });

        assertEquals(Set.of(), existing);
        assertEquals(List.of(job.id()), storage.queries().labelled(LABEL, null, 10));
        assertClaims(job.id());
    }

    @Test
    final void a_job_that_is_due_later() {
        NewJob job = jobs.aJobDueIn(Jobs.LONG);

        joins(about(job.id()), here -> here.insert(List.of(job)));

        assertStates(job.id(), StateName.SCHEDULED);
        assertEquals(1, storage.search().counts().get(StateName.SCHEDULED));
    }

    @Test
    final void more_jobs_than_one_call_takes() {
        List<NewJob> first = jobs.enqueuedJobs(FULL);
        List<NewJob> second = jobs.enqueuedJobs(FULL / 2);
        JobId one = second.get(0).id();

        joins(about(one), here -> {
            here.insert(first);
            here.insert(second);
            return here.queries().find(one).orElseThrow();
        });

        assertEquals(
                (long) first.size() + second.size(), storage.search().counts().get(StateName.ENQUEUED));
        List<NewJob> all = new ArrayList<>(first);
        all.addAll(second);
        assertDueOnce(all.stream().map(NewJob::id).toList());
    }

    @Test
    final void a_job_that_is_there_already_is_answered_and_the_transaction_goes_on() {
        NewJob there = jobs.anEnqueuedJob();
        keep(there);
        NewJob fresh = jobs.anEnqueuedJob();

        Set<JobId> existing = joins(about(there.id(), fresh.id()), here -> {
            Set<JobId> found = new HashSet<>(here.insert(List.of(there)));
            found.addAll(here.insert(List.of(there, fresh)));
            return found;
        });

        assertEquals(Set.of(there.id()), existing);
        assertEquals(2, storage.search().counts().get(StateName.ENQUEUED));
    }

    @Test
    final void the_audit_row_of_an_operator() {
        NewJob job = jobs.anEnqueuedJob();

        joins(about(job.id()), here -> here.insert(List.of(job), ACT));

        assertEquals("TEST", storage.operators().audit(null, 10).get(0).action());
    }

    @Test
    final void jobs_with_a_key_and_the_slots_they_take() {
        KeyRule rule = KeyRule.mailbox("joined");
        NewJob first = aJobWith(rule);
        NewJob second = aJobWith(rule);

        joins(about(first.id(), second.id()), here -> here.insert(List.of(first, second)));

        Lease lease = assertClaims(first.id());
        JobId third = keep(aJobWith(rule));
        assertWritten(Endings.completed(lease));
        assertEquals(List.of(second.id(), third), drained());
    }

    @Test
    final void jobs_with_a_rate_which_counts_from_the_commit() {
        KeyRule rule = KeyRule.rate("joined", 20, Duration.ofHours(1));
        List<NewJob> all = List.of(aJobWith(rule), aJobWith(rule), aJobWith(rule));
        JobId first = all.get(0).id();

        joins(about(first), here -> here.insert(all));

        assertNothingToClaim();
        assertEquals(2, storage.promote(FULL).moved(), "the burst of a tenth of the rate");
        assertEquals(2, storage.claim(NODE, FULL).size());
        assertEquals(0, storage.promote(FULL).moved());
    }

    @Test
    final void a_key_is_as_free_after_a_rollback_as_it_was_before() {
        KeyRule rule = KeyRule.mailbox("joined");
        Connection connection = begin();
        storage.in(connection, null).insert(List.of(aJobWith(rule), aJobWith(rule)));
        end(connection, false);

        JobId next = keep(aJobWith(rule));
        JobId after = keep(aJobWith(rule));

        assertEquals(List.of(next, after), drained());
    }

    @Test
    final void a_unique_job_and_its_name() {
        NewJob first = jobs.anEnqueuedJob();
        NewJob second = jobs.anEnqueuedJob();
        Asked keep = asked(OnConflict.KEEP);

        EnqueueResult answer = joins(about(first.id(), second.id()), here -> {
            assertEquals(new EnqueueResult(Answer.ENQUEUED, first.id()), here.insertUnique(first, keep));
            assertEquals(
                    new EnqueueResult(Answer.REJECTED, first.id()),
                    here.insertUnique(second, asked(OnConflict.REJECT)));
            return here.insertUnique(second, keep);
        });

        assertEquals(new EnqueueResult(Answer.KEPT, first.id()), answer);
        assertEquals(new EnqueueResult(Answer.KEPT, first.id()), storage.insertUnique(jobs.anEnqueuedJob(), keep));
        assertClaims(first.id());
    }

    @Test
    final void a_name_is_as_free_after_a_rollback_as_it_was_before() {
        Connection connection = begin();
        storage.in(connection, null).insertUnique(jobs.anEnqueuedJob(), asked(OnConflict.REJECT));
        end(connection, false);
        NewJob next = jobs.anEnqueuedJob();

        assertEquals(
                new EnqueueResult(Answer.ENQUEUED, next.id()), storage.insertUnique(next, asked(OnConflict.REJECT)));
    }

    @Test
    final void what_replaces_a_waiting_job() {
        NewJob waiting = jobs.withArguments("[1]");
        storage.insertUnique(waiting, asked(OnConflict.REPLACE));
        NewJob last = jobs.withArguments("[2]");

        EnqueueResult answer =
                joins(about(waiting.id(), last.id()), here -> here.insertUnique(last, asked(OnConflict.REPLACE)));

        assertEquals(new EnqueueResult(Answer.REPLACED, waiting.id()), answer);
        assertEquals("[2]", assertClaims(waiting.id()).job().invocation().arguments());
    }

    private static Asked asked(OnConflict onConflict) {
        return new Asked("joined", Span.WAITING, null, onConflict);
    }

    @Test
    final void the_cancelling_of_a_job_that_waits() {
        JobId id = enqueued();

        assertEquals(WriteResult.WRITTEN, joins(about(id), here -> here.cancel(id, ANNA)));

        assertNothingToClaim();
        assertStates(id, StateName.CANCELLED);
    }

    @Test
    final void the_cancelling_of_a_job_that_runs() {
        beat(NODE);
        Lease lease = claimed();
        JobId id = lease.job().id();

        // stop requests are compared too: there must be none before the commit
        assertEquals(WriteResult.WRITTEN, joins(about(id), here -> here.cancel(id, ANNA)));

        assertEquals(1, storage.runs().stopRequests(NODE).size());
        assertStale(Endings.completed(lease));
        assertStates(id, StateName.CANCELLED);
    }

    @Test
    final void a_job_that_ended_before_it_was_to_be_cancelled_says_so() {
        Lease lease = claimed();
        assertWritten(Endings.completed(lease));
        Connection connection = begin();

        WriteResult answer = storage.in(connection, null).cancel(lease.job().id(), ANNA);
        WriteResult missing = storage.in(connection, null).cancel(jobs.nextId(), ANNA);
        end(connection, true);

        assertEquals(new WriteResult.Stale(StateName.SUCCEEDED), answer);
        assertEquals(WriteResult.MISSING, missing);
    }

    @Test
    final void a_job_that_runs_again() {
        Lease lease = claimed();
        JobId id = lease.job().id();
        assertWritten(Endings.failed(lease));

        assertEquals(WriteResult.WRITTEN, joins(about(id), here -> {
            WriteResult answer = here.runAgain(id, ANNA);
            assertEquals(StateName.ENQUEUED, here.queries().states(List.of(id)).get(id));
            return answer;
        }));

        assertClaims(id);
    }

    @Test
    final void the_ending_of_a_run_which_its_lease_must_still_allow() {
        Lease lease = claimed();

        List<WriteResult> results =
                joins(about(lease.job().id()), here -> here.record(List.of(Endings.completed(lease))));

        assertEquals(List.of(WriteResult.WRITTEN), results);
        assertStates(lease.job().id(), StateName.SUCCEEDED);
        Lease lost = claimed();
        storage.cancel(lost.job().id(), ANNA);
        Connection connection = begin();
        WriteResult late = storage.in(connection, null)
                .record(List.of(Endings.completed(lost)))
                .get(0);
        end(connection, false);
        assertFalse(late instanceof WriteResult.Written, "the lease was lost");
    }

    @Test
    final void a_recurring_job_that_is_declared_and_changed() {
        RecurringJob declared = Recurrences.unusual("nightly");

        joins(List.of(), here -> {
            boolean written = here.recurring().write(declared, ACT);
            assertTrue(here.recurring().find("nightly").isPresent(), "its own transaction sees it");
            return written;
        });
        RecurringJob there = storage.recurring().find("nightly").orElseThrow();
        RecurringJob deleted = new RecurringJob(
                there.id(),
                there.plan(),
                there.progress(),
                Recurrences.standing(RecurringJob.Status.DELETED),
                there.version());

        assertEquals(true, joins(List.of(), here -> here.recurring().write(deleted, ACT)));
        assertEquals(2, storage.operators().audit(null, 10).size());
    }

    @Test
    final void nothing_is_done_after_the_commit_before_it_has_come() {
        Connection connection = begin();
        List<Runnable> afterCommit = new ArrayList<>();
        NewJob job = jobs.anEnqueuedJob();

        storage.in(connection, afterCommit::add).insert(List.of(job));

        assertFalse(afterCommit.isEmpty(), "no server would hear of the commit");
        end(connection, false);
        assertEquals(Optional.empty(), storage.queries().find(job.id()));
    }

    @Test
    final void claims_and_endings_of_others_go_on_while_a_transaction_is_open() {
        Lease running = claimed();
        Connection connection = begin();
        storage.in(connection, null).insert(List.of(jobs.anEnqueuedJob(), aJobWith(KeyRule.mailbox("open"))));

        JobId other = keep(aJobWith(KeyRule.mailbox("other")));
        Lease claimed = assertClaims(other);
        assertWritten(Endings.completed(running));
        assertWritten(Endings.completed(claimed));
        assertEquals(0, storage.promote(FULL).moved());
        end(connection, true);

        assertEquals(2, storage.claim(NODE, FULL).size());
    }
}
