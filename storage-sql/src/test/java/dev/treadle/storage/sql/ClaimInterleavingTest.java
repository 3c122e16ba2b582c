package dev.treadle.storage.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.treadle.job.JobId;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Details;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Trigger;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.sql.admin.SqlOperators;
import dev.treadle.storage.sql.rows.LaneIds;
import dev.treadle.storage.sql.session.SqlFailure;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** A claim in the middle, and what others do meanwhile. */
class ClaimInterleavingTest extends Interleaving {

    @Test
    void a_cancel_waits_for_a_claim_in_progress_and_then_takes_its_lease() throws Exception {
        JobId id = kept(1).get(0);
        OpenTransaction claim = transaction();
        OpenTransaction cancel = transaction();

        Lease lease = claim.does(session -> verbs.claim(session, NODE, LaneIds.DEFAULT, 1))
                .get(0);
        Future<WriteResult> cancelled = cancel.waitsToDo(
                session -> SqlOperators.change(session, keys, id, Trigger.CANCEL, Details.of(BY_TEST)));
        claim.commit();

        assertEquals(WriteResult.WRITTEN, OpenTransaction.answer(cancelled));
        cancel.commit();
        assertInstanceOf(
                WriteResult.Stale.class,
                storage.record(List.of(completed(lease))).get(0));
        assertEquals(List.of(StateName.CANCELLED), story(id));
    }

    @Test
    void a_claim_passes_by_a_job_that_is_being_cancelled_without_waiting() throws Exception {
        List<JobId> ids = kept(2);
        OpenTransaction cancel = transaction();

        cancel.does(session -> SqlOperators.change(session, keys, ids.get(0), Trigger.CANCEL, Details.of(BY_TEST)));
        List<Lease> taken = transaction().does(session -> verbs.claim(session, NODE, LaneIds.DEFAULT, FULL));
        assertEquals(List.of(ids.get(1)), idsOf(taken));
        cancel.commit();

        assertEquals(StateName.CANCELLED, stateOf(ids.get(0)));
    }

    @Test
    void a_job_whose_cancelling_was_rolled_back_can_be_claimed() throws Exception {
        JobId id = kept(1).get(0);
        OpenTransaction cancel = transaction();

        cancel.does(session -> SqlOperators.change(session, keys, id, Trigger.CANCEL, Details.of(BY_TEST)));
        cancel.close();

        assertEquals(List.of(id), idsOf(storage.claim(NODE, FULL)));
        assertEquals(List.of(), story(id));
    }

    @Test
    void a_job_that_is_committed_later_than_younger_ones_is_claimed_all_the_same() throws Exception {
        OpenTransaction insert = transaction();
        var late = jobs.anEnqueuedJob();

        insert.does(session -> verbs.insert(session, List.of(late)));
        List<JobId> younger = kept(3);
        assertEquals(younger, idsOf(storage.claim(NODE, FULL)), "what is not committed is not claimed");
        insert.commit();

        assertEquals(List.of(late.id()), idsOf(storage.claim(NODE, FULL)));
    }

    @Test
    void a_second_insert_of_a_job_waits_for_the_first_and_then_changes_nothing() throws Exception {
        var job = jobs.anEnqueuedJob();

        assertEquals(Set.of(job.id()), insertedAgainWhenFirst(job, OpenTransaction::commit), "it was there");
        assertEquals(List.of(job.id()), idsOf(storage.claim(NODE, FULL)));
    }

    @Test
    void a_second_insert_of_a_job_whose_first_is_rolled_back_keeps_it() throws Exception {
        var job = jobs.anEnqueuedJob();

        assertEquals(Set.of(), insertedAgainWhenFirst(job, OpenTransaction::close), "it was not there");
        assertEquals(List.of(job.id()), idsOf(storage.claim(NODE, FULL)));
    }

    private interface End {
        void of(OpenTransaction transaction) throws Exception;
    }

    /** What a second insert answers that has to wait until the first has ended so. */
    private Set<JobId> insertedAgainWhenFirst(NewJob job, End end) throws Exception {
        OpenTransaction first = transaction();
        first.does(session -> verbs.insert(session, List.of(job)));
        FutureTask<Set<JobId>> again = new FutureTask<>(() -> storage.insert(List.of(job)));
        new Thread(again, "second insert").start();
        OpenTransaction.untilSomeoneWaits(database);
        end.of(first);
        return OpenTransaction.answer(again);
    }

    @Test
    void two_open_claims_take_different_jobs_in_order_and_neither_waits() throws Exception {
        List<JobId> ids = kept(100);
        OpenTransaction first = transaction();
        OpenTransaction second = transaction();
        OpenTransaction third = transaction();

        List<Lease> taken = new ArrayList<>(first.does(session -> verbs.claim(session, NODE, LaneIds.DEFAULT, 40)));
        taken.addAll(second.does(session -> verbs.claim(session, OTHER, LaneIds.DEFAULT, 40)));
        taken.addAll(third.does(session -> verbs.claim(session, NODE, LaneIds.DEFAULT, 40)));
        third.commit();
        second.commit();
        first.commit();

        assertEquals(ids, idsOf(taken));
        assertEquals(3, new HashSet<>(taken.stream().map(Lease::token).toList()).size(), "one token for each claim");
    }

    @Test
    void a_claim_that_is_rolled_back_leaves_its_jobs_in_their_order() throws Exception {
        List<JobId> ids = kept(10);
        OpenTransaction first = transaction();

        first.does(session -> verbs.claim(session, NODE, LaneIds.DEFAULT, 5));
        assertEquals(ids.subList(5, 10), idsOf(storage.claim(OTHER, FULL)));
        first.close();

        assertEquals(ids.subList(0, 5), idsOf(storage.claim(OTHER, FULL)));
    }

    @Test
    void a_claim_whose_connection_is_killed_before_its_commit_leaves_all_jobs_to_others() throws Exception {
        List<JobId> ids = kept(50);
        OpenTransaction claim = transaction();

        long lost = claim.does(session -> verbs.claim(session, NODE, LaneIds.DEFAULT, FULL))
                .get(0)
                .token();
        claim.isKilled();
        assertThrows(Exception.class, claim::commit);

        List<Lease> taken = storage.claim(OTHER, FULL);
        assertEquals(ids, idsOf(taken));
        assertFalse(taken.stream().anyMatch(lease -> lease.token() <= lost), "a lost token must not come back");
        assertEquals(List.of(), storage.leasesOf(NODE));
    }

    @Test
    void a_connection_that_the_database_ended_is_no_reason_to_give_up() throws SQLException {
        assertEquals(SqlFailure.CONNECTION_LOST, SqlFailure.of(new SQLException("ended", "57P01")));
        assertEquals(SqlFailure.CONNECTION_LOST, SqlFailure.of(new SQLException("broken", "08006")));
    }
}
