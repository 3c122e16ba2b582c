package dev.treadle.storage.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.contracts.storage.Jobs;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.KeyRule;
import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Details;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Trigger;
import dev.treadle.storage.NodeBeat;
import dev.treadle.storage.sql.admin.SqlOperators;
import dev.treadle.storage.sql.rows.LaneIds;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** Promoting, unparking, burying or running again in the middle, and what others do meanwhile. */
class MaintenanceInterleavingTest extends Interleaving {
    @Test
    void a_cancel_waits_for_a_promotion_in_progress_and_takes_the_job_out_of_the_next_table() throws Exception {
        JobId id = due(1).get(0);
        OpenTransaction promote = transaction();
        OpenTransaction cancel = transaction();

        assertCount(1, promote.does(session -> verbs.promote(session, FULL)));
        Future<WriteResult> cancelled = cancel.waitsToDo(
                session -> SqlOperators.change(session, keys, id, Trigger.CANCEL, Details.of(BY_TEST)));
        promote.commit();

        assertEquals(WriteResult.WRITTEN, OpenTransaction.answer(cancelled));
        cancel.commit();
        assertEquals(List.of(), storage.claim(NODE, FULL));
    }

    @Test
    void a_promotion_passes_by_a_job_that_is_being_cancelled() throws Exception {
        List<JobId> ids = due(2);
        OpenTransaction cancel = transaction();

        cancel.does(session -> SqlOperators.change(session, keys, ids.get(0), Trigger.CANCEL, Details.of(BY_TEST)));
        assertEquals(1, storage.promote(FULL).moved());
        cancel.commit();

        assertEquals(List.of(ids.get(1)), idsOf(storage.claim(NODE, FULL)));
    }

    @Test
    void two_open_promotions_move_different_jobs_and_neither_waits() throws Exception {
        List<JobId> ids = due(30);
        OpenTransaction first = transaction();
        OpenTransaction second = transaction();

        assertCount(20, first.does(session -> verbs.promote(session, 20)));
        assertCount(10, second.does(session -> verbs.promote(session, 20)));
        second.commit();
        first.commit();

        assertEquals(new HashSet<>(ids), new HashSet<>(idsOf(storage.claim(NODE, FULL))));
    }

    @Test
    void of_two_who_run_a_job_again_the_second_waits_and_finds_it_enqueued() throws Exception {
        Lease lease = claimed();
        JobId id = lease.job().id();
        storage.record(List.of(completed(lease)));
        OpenTransaction first = transaction();
        OpenTransaction second = transaction();

        assertEquals(
                WriteResult.WRITTEN,
                first.does(session -> SqlOperators.change(session, keys, id, Trigger.RUN_AGAIN, Details.of(BY_TEST))));
        Future<WriteResult> again = second.waitsToDo(
                session -> SqlOperators.change(session, keys, id, Trigger.RUN_AGAIN, Details.of(BY_TEST)));
        first.commit();

        assertEquals(new WriteResult.Stale(StateName.ENQUEUED), OpenTransaction.answer(again));
        second.commit();
        assertEquals(1, storage.claim(OTHER, FULL).size());
    }

    @Test
    void a_cancel_waits_for_a_job_that_is_being_run_again_and_stops_it() throws Exception {
        Lease lease = claimed();
        JobId id = lease.job().id();
        storage.record(List.of(completed(lease)));
        OpenTransaction again = transaction();
        OpenTransaction cancel = transaction();

        again.does(session -> SqlOperators.change(session, keys, id, Trigger.RUN_AGAIN, Details.of(BY_TEST)));
        Future<WriteResult> cancelled = cancel.waitsToDo(
                session -> SqlOperators.change(session, keys, id, Trigger.CANCEL, Details.of(BY_TEST)));
        again.commit();

        assertEquals(WriteResult.WRITTEN, OpenTransaction.answer(cancelled));
        cancel.commit();
        assertEquals(List.of(StateName.SUCCEEDED, StateName.ENQUEUED, StateName.CANCELLED), story(id));
        assertEquals(List.of(), storage.claim(NODE, FULL));
    }

    @Test
    void a_cancel_waits_for_an_unparking_in_progress_and_takes_the_job_out_of_the_next_table() throws Exception {
        JobId id = parkedJobs(1).get(0);
        OpenTransaction unpark = transaction();
        OpenTransaction cancel = transaction();

        assertCount(
                1,
                unpark.does(session ->
                        verbs.unpark(session, OTHER, Jobs.TARGET, lanes.array(session, List.of(Lane.DEFAULT)), FULL)));
        Future<WriteResult> cancelled = cancel.waitsToDo(
                session -> SqlOperators.change(session, keys, id, Trigger.CANCEL, Details.of(BY_TEST)));
        unpark.commit();

        assertEquals(WriteResult.WRITTEN, OpenTransaction.answer(cancelled));
        cancel.commit();
        assertEquals(List.of(StateName.PARKED, StateName.CANCELLED), story(id));
        assertEquals(List.of(), storage.claim(NODE, FULL));
    }

    @Test
    void an_unparking_passes_by_jobs_that_are_being_cancelled_or_run_again() throws Exception {
        List<JobId> ids = parkedJobs(3);
        OpenTransaction cancel = transaction();
        OpenTransaction again = transaction();

        cancel.does(session -> SqlOperators.change(session, keys, ids.get(0), Trigger.CANCEL, Details.of(BY_TEST)));
        again.does(session -> SqlOperators.change(session, keys, ids.get(1), Trigger.RUN_AGAIN, Details.of(BY_TEST)));
        assertEquals(1, storage.unpark(OTHER, Jobs.TARGET, FULL));
        again.commit();
        cancel.commit();

        assertEquals(Set.of(ids.get(1), ids.get(2)), new HashSet<>(idsOf(storage.claim(NODE, FULL))));
    }

    @Test
    void running_a_parked_job_again_waits_for_an_unparking_in_progress_and_enqueues_it_once() throws Exception {
        JobId id = parkedJobs(1).get(0);
        OpenTransaction unpark = transaction();
        OpenTransaction again = transaction();

        unpark.does(session ->
                verbs.unpark(session, OTHER, Jobs.TARGET, lanes.array(session, List.of(Lane.DEFAULT)), FULL));
        Future<WriteResult> late = again.waitsToDo(
                session -> SqlOperators.change(session, keys, id, Trigger.RUN_AGAIN, Details.of(BY_TEST)));
        unpark.commit();

        assertEquals(new WriteResult.Stale(StateName.ENQUEUED), OpenTransaction.answer(late));
        again.commit();
        assertEquals(1, storage.claim(NODE, FULL).size());
    }

    @Test
    void a_burial_waits_for_a_heartbeat_in_progress_and_lets_the_node_live() throws Exception {
        NodeBeat last = lastBeat(NODE);
        OpenTransaction beat = transaction();
        OpenTransaction bury = transaction();

        beat.does(session -> beat(session, NODE));
        Future<Integer> buried = bury.waitsToDo(session -> bury(session, last));
        beat.commit();

        assertEquals(0, OpenTransaction.answer(buried));
        bury.commit();
        assertEquals(1, living());
    }

    @Test
    void a_heartbeat_waits_for_a_burial_in_progress_and_brings_the_node_back() throws Exception {
        NodeBeat last = lastBeat(NODE);
        OpenTransaction bury = transaction();
        OpenTransaction beat = transaction();

        assertCount(1, bury.does(session -> bury(session, last)));
        Future<Integer> back = beat.waitsToDo(session -> beat(session, NODE));
        bury.commit();

        assertEquals(1, OpenTransaction.answer(back));
        beat.commit();
        assertEquals(1, living());
    }

    @Test
    void leases_that_a_dead_node_takes_after_its_burial_are_orphans_and_do_not_vanish() throws Exception {
        NodeBeat last = lastBeat(NODE);
        List<JobId> ids = kept(5);
        OpenTransaction claim = transaction();

        claim.does(session -> verbs.claim(session, NODE, LaneIds.DEFAULT, FULL));
        assertTrue(storage.bury(last), "it cannot see the claim, and does not wait for it");
        assertEquals(List.of(), storage.orphans(OTHER, FULL));
        claim.commit();
        assertEquals(new HashSet<>(ids), new HashSet<>(idsOf(storage.orphans(OTHER, FULL))));

        beat(NODE);
        assertEquals(List.of(), storage.orphans(OTHER, FULL), "a node that was only slow keeps what it has");
        assertEquals(5, storage.leasesOf(NODE).size());
    }

    @Test
    void a_node_that_beats_while_its_leases_are_being_rescued_loses_them_and_lives() throws Exception {
        storage.bury(lastBeat(NODE));
        List<Lease> leases = claimed(3);
        OpenTransaction rescue = transaction();

        assertEquals(
                3,
                rescue.does(session -> verbs.end(session, all(leases, Interleaving::rescued)))
                        .size());
        beat(NODE);
        assertEquals(3, storage.leasesOf(NODE).size(), "until the rescue is committed they are its own");
        rescue.commit();

        assertEquals(List.of(), storage.leasesOf(NODE));
        assertEquals(1, living());
        assertEquals(3, storage.promote(FULL).moved());
    }

    @Test
    void a_lease_that_somebody_is_writing_holds_up_only_its_own_rescue() throws Exception {
        List<Lease> leases = claimed(5);
        Lease locked = leases.get(2);
        OpenTransaction halfDone = transaction();
        halfDone.does(session -> verbs.end(session, List.of(completed(locked))));

        assertEquals(4, storage.orphans(OTHER, FULL).size());
        List<WriteResult> answers = storage.rescue(all(leases, Interleaving::rescued));

        assertEquals(4, Collections.frequency(answers, WriteResult.WRITTEN));
        assertInstanceOf(WriteResult.Stale.class, answers.get(2));
        halfDone.close();
        assertEquals(List.of(locked), storage.orphans(OTHER, FULL));
        assertEquals(List.of(WriteResult.WRITTEN), storage.rescue(List.of(rescued(locked))));
    }

    @Test
    void a_copy_whose_rows_never_come_lets_go_of_its_leases() throws Exception {
        Lease held = claimed();
        Connection suspended = database.getConnection();
        suspended.setAutoCommit(false);
        suspended.createStatement().execute("delete from treadle_lease");
        suspended.unwrap(PGConnection.class).getCopyAPI().copyIn("copy treadle_history from stdin");

        Awaitility.await().until(() -> storage.orphans(OTHER, FULL).equals(List.of(held)));
        database.evictConnection(suspended);
    }

    @Test
    void a_key_that_somebody_is_writing_holds_up_only_the_rescue_of_its_jobs() throws Exception {
        Lease one = claimedWith("one");
        Lease other = claimedWith("other");
        Lease plain = claimed();
        OpenTransaction halfDone = transaction();
        halfDone.does(session -> verbs.keys().hold(session, line("one")));

        List<WriteResult> answers = storage.rescue(all(List.of(one, other, plain), Interleaving::failed));

        assertInstanceOf(WriteResult.Stale.class, answers.get(0));
        assertEquals(List.of(WriteResult.WRITTEN, WriteResult.WRITTEN), answers.subList(1, 3));
        halfDone.close();
        assertEquals(List.of(WriteResult.WRITTEN), storage.rescue(List.of(failed(one))));
    }

    @Test
    void a_key_that_somebody_is_writing_holds_up_only_the_promotion_of_its_jobs() throws Exception {
        JobId one = due(1, "one").get(0);
        JobId other = due(1, "other").get(0);
        Lease holder = claimedWith("one");
        JobId plain = due(1).get(0);
        OpenTransaction halfDone = transaction();
        halfDone.does(session -> verbs.keys().hold(session, line("one")));

        assertEquals(2, storage.promote(FULL).moved());
        assertEquals(Set.of(other, plain), new HashSet<>(idsOf(storage.claim(NODE, FULL))));
        halfDone.close();

        assertEquals(1, storage.promote(FULL).moved());
        storage.record(List.of(completed(holder)));
        assertEquals(List.of(one), idsOf(storage.claim(NODE, FULL)));
    }

    @Test
    void plain_endings_are_kept_while_those_of_a_key_wait() throws Exception {
        Lease keyed = claimedWith("one");
        Lease plain = claimed();
        OpenTransaction halfDone = transaction();
        halfDone.does(session -> verbs.keys().hold(session, line("one")));

        CompletableFuture<List<WriteResult>> recorded =
                CompletableFuture.supplyAsync(() -> storage.record(List.of(completed(keyed), completed(plain))));
        Awaitility.await().until(() -> stateOf(plain.job().id()) == StateName.SUCCEEDED);
        assertEquals(StateName.PROCESSING, stateOf(keyed.job().id()));
        halfDone.close();

        assertEquals(List.of(WriteResult.WRITTEN, WriteResult.WRITTEN), recorded.get(60, TimeUnit.SECONDS));
    }

    private Lease claimedWith(String limit) {
        storage.insert(List.of(jobs.withTraits(JobTraits.DEFAULT.withKey(KeyRule.limit(limit, 1)))));
        return storage.claim(NODE, FULL).get(0);
    }

    /** Jobs that wait for their retry without a slot of their key. */
    private List<JobId> due(int count, String limit) throws Exception {
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Lease lease = claimedWith(limit);
            storage.record(List.of(rescued(lease)));
            ids.add(lease.job().id());
        }
        Awaitility.await().until(() -> count("select count(*) from treadle_keyed where due_at > now()") == 0);
        return ids;
    }

    private static TreeSet<String> line(String limit) {
        return new TreeSet<>(Set.of(KeyRule.limit(limit, 1).line()));
    }

    private List<JobId> parkedJobs(int count) {
        List<Lease> leases = claimed(count);
        storage.record(all(leases, Interleaving::parked));
        beat(OTHER);
        return idsOf(leases);
    }

    private NodeBeat lastBeat(NodeId node) {
        beat(node);
        return storage.beats().stream()
                .filter(beat -> beat.node().equals(node))
                .findFirst()
                .orElseThrow();
    }

    private int living() throws SQLException {
        return count("select count(*) from treadle_node where gone_at is null");
    }

    private int beat(Session session, NodeId node) throws SQLException {
        verbs.beat(session, new dev.treadle.storage.NodeInfo(node, "a node", "pool", 4));
        return 1;
    }

    private static int bury(Session session, NodeBeat last) throws SQLException {
        try (NamedStatement bury = session.statement(SqlStatement.BURY)) {
            bury.setLong("node", last.node().value());
            bury.setObject("beat_at", Rows.time(Instant.EPOCH.plus(last.mark(), ChronoUnit.MICROS)));
            return bury.executeUpdate();
        }
    }
}
