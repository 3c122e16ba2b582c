package dev.treadle.storage.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.treadle.job.EnqueueResult;
import dev.treadle.job.EnqueueResult.Answer;
import dev.treadle.job.JobId;
import dev.treadle.job.StateName;
import dev.treadle.job.Unique.OnConflict;
import dev.treadle.job.Unique.Span;
import dev.treadle.lifecycle.Details;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Trigger;
import dev.treadle.lifecycle.UniqueTerms.Asked;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.sql.admin.SqlOperators;
import dev.treadle.storage.sql.admin.SqlUnique;
import dev.treadle.storage.sql.rows.LaneIds;
import dev.treadle.storage.sql.session.Session;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** A claim of a name in the middle, and another of the same name; and a replacement that meets the job's own moves. */
class UniqueInterleavingTest extends Interleaving {
    private static final Asked KEEP = new Asked("one", Span.WAITING_OR_RUNNING, null, OnConflict.KEEP);
    private static final Asked REPLACE = new Asked("one", Span.WAITING, null, OnConflict.REPLACE);

    private EnqueueResult insert(Session session, NewJob job, Asked asked) throws java.sql.SQLException {
        return SqlUnique.insert(session, verbs, keys, job, asked);
    }

    @Test
    void the_second_of_a_name_waits_for_the_first_and_is_not_kept() throws Exception {
        NewJob first = jobs.anEnqueuedJob();
        NewJob second = jobs.anEnqueuedJob();
        OpenTransaction one = transaction();
        OpenTransaction other = transaction();

        one.does(session -> insert(session, first, KEEP));
        Future<EnqueueResult> late = other.waitsToDo(session -> insert(session, second, KEEP));
        one.commit();

        assertEquals(new EnqueueResult(Answer.KEPT, first.id()), OpenTransaction.answer(late));
        other.commit();
        assertEquals(List.of(first.id()), idsOf(storage.claim(NODE, FULL)));
    }

    @Test
    void the_second_of_a_name_gets_it_when_the_first_is_rolled_back() throws Exception {
        NewJob second = jobs.anEnqueuedJob();
        OpenTransaction one = transaction();
        OpenTransaction other = transaction();

        one.does(session -> insert(session, jobs.anEnqueuedJob(), KEEP));
        Future<EnqueueResult> late = other.waitsToDo(session -> insert(session, second, KEEP));
        one.close();

        assertEquals(new EnqueueResult(Answer.ENQUEUED, second.id()), OpenTransaction.answer(late));
        other.commit();
        assertEquals(List.of(second.id()), idsOf(storage.claim(NODE, FULL)));
    }

    @Test
    void a_replacement_waits_for_a_claim_in_progress_and_makes_a_job_of_its_own() throws Exception {
        NewJob first = jobs.withArguments("[1]");
        storage.insertUnique(first, REPLACE);
        NewJob last = jobs.withArguments("[2]");
        OpenTransaction claim = transaction();
        OpenTransaction replace = transaction();

        Lease lease = claim.does(session -> verbs.claim(session, NODE, LaneIds.DEFAULT, 1))
                .get(0);
        Future<EnqueueResult> answer = replace.waitsToDo(session -> insert(session, last, REPLACE));
        claim.commit();

        assertEquals(new EnqueueResult(Answer.ENQUEUED, last.id()), OpenTransaction.answer(answer));
        replace.commit();
        assertEquals("[1]", lease.job().invocation().arguments());
        assertEquals(List.of(last.id()), idsOf(storage.claim(NODE, FULL)));
    }

    @Test
    void a_claim_passes_by_a_job_that_is_being_replaced_and_then_runs_the_last_arguments() throws Exception {
        NewJob first = jobs.withArguments("[1]");
        storage.insertUnique(first, REPLACE);
        OpenTransaction replace = transaction();

        replace.does(session -> insert(session, jobs.withArguments("[2]"), REPLACE));
        assertEquals(List.of(), storage.claim(NODE, FULL));
        replace.commit();

        List<Lease> taken = storage.claim(NODE, FULL);
        assertEquals(List.of(first.id()), idsOf(taken));
        assertEquals("[2]", taken.get(0).job().invocation().arguments());
    }

    @Test
    void a_cancel_and_a_replacement_of_one_job_end_in_one_of_both() throws Exception {
        NewJob first = jobs.anEnqueuedJob();
        storage.insertUnique(first, REPLACE);
        JobId id = first.id();
        NewJob last = jobs.anEnqueuedJob();
        OpenTransaction cancel = transaction();
        OpenTransaction replace = transaction();

        cancel.does(session -> SqlOperators.change(session, keys, id, Trigger.CANCEL, Details.of(BY_TEST)));
        Future<EnqueueResult> answer = replace.waitsToDo(session -> insert(session, last, REPLACE));
        cancel.commit();

        assertEquals(new EnqueueResult(Answer.ENQUEUED, last.id()), OpenTransaction.answer(answer));
        replace.commit();
        assertEquals(StateName.CANCELLED, stateOf(id));
        assertEquals(StateName.ENQUEUED, stateOf(last.id()));
    }
}
