package dev.treadle.storage.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.treadle.job.JobId;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Details;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.Transition;
import dev.treadle.lifecycle.Trigger;
import dev.treadle.storage.sql.admin.SqlOperators;
import dev.treadle.storage.sql.rows.LaneIds;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** An ending in the middle of being written, and another ending or a move of the same job. */
class EndingInterleavingTest extends Interleaving {

    @Test
    void a_completion_waits_for_a_rescue_in_progress_and_is_refused() throws Exception {
        Lease lease = claimed();
        OpenTransaction rescue = transaction();
        OpenTransaction owner = transaction();

        rescue.does(session -> verbs.end(session, List.of(rescued(lease))));
        Future<Set<RunId>> late = owner.waitsToDo(session -> verbs.end(session, List.of(completed(lease))));
        rescue.commit();

        assertEquals(Set.of(), OpenTransaction.answer(late));
        owner.commit();
        assertEquals(List.of(StateName.SCHEDULED), story(lease.job().id()));
    }

    @Test
    void a_rescue_waits_for_a_completion_in_progress_and_is_refused() throws Exception {
        Lease lease = claimed();
        OpenTransaction owner = transaction();
        OpenTransaction rescue = transaction();

        owner.does(session -> verbs.end(session, List.of(completed(lease))));
        Future<Set<RunId>> late = rescue.waitsToDo(session -> verbs.end(session, List.of(rescued(lease))));
        owner.commit();

        assertEquals(Set.of(), OpenTransaction.answer(late));
        rescue.commit();
        assertEquals(List.of(StateName.SUCCEEDED), story(lease.job().id()));
    }

    @Test
    void a_completion_goes_through_when_the_rescue_it_waited_for_is_rolled_back() throws Exception {
        Lease lease = claimed();
        OpenTransaction rescue = transaction();
        OpenTransaction owner = transaction();

        rescue.does(session -> verbs.end(session, List.of(rescued(lease))));
        Future<Set<RunId>> done = owner.waitsToDo(session -> verbs.end(session, List.of(completed(lease))));
        rescue.close();

        assertEquals(Set.of(RunId.of(lease)), OpenTransaction.answer(done));
        owner.commit();
        assertEquals(List.of(StateName.SUCCEEDED), story(lease.job().id()));
    }

    @Test
    void of_two_rescuers_one_wins_and_the_other_waits_and_is_refused() throws Exception {
        List<Lease> leases = claimed(20);
        OpenTransaction first = transaction();
        OpenTransaction second = transaction();

        assertEquals(
                20,
                first.does(session -> verbs.end(session, all(leases, Interleaving::rescued)))
                        .size());
        Future<Set<RunId>> late = second.waitsToDo(session -> verbs.end(session, all(leases, Interleaving::rescued)));
        first.commit();

        assertEquals(Set.of(), OpenTransaction.answer(late));
        second.commit();
        assertEquals(20, count("select count(*) from treadle_history"));
    }

    @Test
    void a_late_ending_of_any_kind_leaves_the_next_claim_of_its_job_alone_however_far_that_is() throws Exception {
        Lease lost = claimed();
        List<Transition> late = List.of(completed(lost), rescued(lost), failed(lost), parked(lost), givenBack(lost));
        assertEquals(WriteResult.WRITTEN, storage.record(List.of(rescued(lost))).get(0));
        storage.promote(1);
        OpenTransaction next = transaction();
        OpenTransaction owner = transaction();

        Lease held = next.does(session -> verbs.claim(session, OTHER, LaneIds.DEFAULT, 1))
                .get(0);
        assertEquals(Set.of(), owner.does(session -> verbs.end(session, late)));
        next.commit();
        assertEquals(Set.of(), owner.does(session -> verbs.end(session, late)));
        owner.commit();

        assertEquals(
                WriteResult.WRITTEN, storage.record(List.of(completed(held))).get(0));
        assertEquals(
                List.of(StateName.SCHEDULED, StateName.SUCCEEDED),
                story(held.job().id()));
    }

    @Test
    void a_completion_waits_for_a_cancel_in_progress_and_is_refused() throws Exception {
        Lease lease = claimed();
        JobId id = lease.job().id();
        OpenTransaction cancel = transaction();
        OpenTransaction owner = transaction();

        cancel.does(session -> SqlOperators.change(session, keys, id, Trigger.CANCEL, Details.of(BY_TEST)));
        Future<Set<RunId>> late = owner.waitsToDo(session -> verbs.end(session, List.of(completed(lease))));
        cancel.commit();

        assertEquals(Set.of(), OpenTransaction.answer(late));
        assertEquals(List.of(StateName.CANCELLED), story(id));
    }

    @Test
    void a_cancel_waits_for_a_completion_in_progress_and_finds_the_job_succeeded() throws Exception {
        Lease lease = claimed();
        JobId id = lease.job().id();
        OpenTransaction owner = transaction();
        OpenTransaction cancel = transaction();

        owner.does(session -> verbs.end(session, List.of(completed(lease))));
        Future<WriteResult> late = cancel.waitsToDo(
                session -> SqlOperators.change(session, keys, id, Trigger.CANCEL, Details.of(BY_TEST)));
        owner.commit();

        assertEquals(new WriteResult.Stale(StateName.SUCCEEDED), OpenTransaction.answer(late));
        cancel.commit();
        assertEquals(List.of(StateName.SUCCEEDED), story(id));
    }

    @Test
    void a_cancel_catches_a_job_that_is_rescued_into_a_table_where_the_cancel_has_already_looked() throws Exception {
        Lease lease = claimed();
        JobId id = lease.job().id();
        OpenTransaction rescue = transaction();
        OpenTransaction cancel = transaction();

        rescue.does(session -> verbs.end(session, List.of(rescued(lease))));
        Future<WriteResult> cancelled = cancel.waitsToDo(
                session -> SqlOperators.change(session, keys, id, Trigger.CANCEL, Details.of(BY_TEST)));
        rescue.commit();

        assertEquals(WriteResult.WRITTEN, OpenTransaction.answer(cancelled));
        cancel.commit();
        assertEquals(List.of(StateName.SCHEDULED, StateName.CANCELLED), story(id));
        assertInstanceOf(
                WriteResult.Stale.class,
                storage.record(List.of(completed(lease))).get(0));
    }
}
