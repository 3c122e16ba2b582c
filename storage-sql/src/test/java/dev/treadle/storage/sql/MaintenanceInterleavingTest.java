package dev.treadle.storage.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.treadle.job.JobId;
import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;
import dev.treadle.job.StateName;
import dev.treadle.storage.Leased;
import dev.treadle.storage.WriteResult;
import dev.treadle.testing.storage.Jobs;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Promoting, unparking, burying or running again in the middle, and what others do meanwhile. */
class MaintenanceInterleavingTest extends Interleaving {
    private static final Duration SILENCE = Duration.ofSeconds(10);

    @Test
    void a_cancel_waits_for_a_promotion_in_progress_and_takes_the_job_out_of_the_next_table() throws Exception {
        JobId id = due(1).get(0);
        OpenTransaction promote = transaction();
        OpenTransaction cancel = transaction();

        assertCount(1, promote.does(session -> verbs.promote(session, FULL)));
        Future<WriteResult> cancelled = cancel.waitsToDo(session -> SqlOperators.cancel(session, keys, id, BY_TEST));
        promote.commit();

        assertEquals(WriteResult.WRITTEN, OpenTransaction.answer(cancelled));
        cancel.commit();
        assertEquals(List.of(), storage.claim(NODE, FULL));
    }

    @Test
    void a_promotion_passes_by_a_job_that_is_being_cancelled() throws Exception {
        List<JobId> ids = due(2);
        OpenTransaction cancel = transaction();

        cancel.does(session -> SqlOperators.cancel(session, keys, ids.get(0), BY_TEST));
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
        Leased lease = claimed();
        JobId id = lease.job().id();
        storage.record(List.of(completed(lease)));
        OpenTransaction first = transaction();
        OpenTransaction second = transaction();

        assertEquals(WriteResult.WRITTEN, first.does(session -> SqlOperators.runAgain(session, keys, id, BY_TEST)));
        Future<WriteResult> again = second.waitsToDo(session -> SqlOperators.runAgain(session, keys, id, BY_TEST));
        first.commit();

        assertEquals(new WriteResult.Stale(StateName.ENQUEUED), OpenTransaction.answer(again));
        second.commit();
        assertEquals(1, storage.claim(OTHER, FULL).size());
    }

    @Test
    void a_cancel_waits_for_a_job_that_is_being_run_again_and_stops_it() throws Exception {
        Leased lease = claimed();
        JobId id = lease.job().id();
        storage.record(List.of(completed(lease)));
        OpenTransaction again = transaction();
        OpenTransaction cancel = transaction();

        again.does(session -> SqlOperators.runAgain(session, keys, id, BY_TEST));
        Future<WriteResult> cancelled = cancel.waitsToDo(session -> SqlOperators.cancel(session, keys, id, BY_TEST));
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
        Future<WriteResult> cancelled = cancel.waitsToDo(session -> SqlOperators.cancel(session, keys, id, BY_TEST));
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

        cancel.does(session -> SqlOperators.cancel(session, keys, ids.get(0), BY_TEST));
        again.does(session -> SqlOperators.runAgain(session, keys, ids.get(1), BY_TEST));
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
        Future<WriteResult> late = again.waitsToDo(session -> SqlOperators.runAgain(session, keys, id, BY_TEST));
        unpark.commit();

        assertEquals(new WriteResult.Stale(StateName.ENQUEUED), OpenTransaction.answer(late));
        again.commit();
        assertEquals(1, storage.claim(NODE, FULL).size());
    }

    @Test
    void a_burial_waits_for_a_heartbeat_in_progress_and_lets_the_node_live() throws Exception {
        silent(NODE);
        OpenTransaction beat = transaction();
        OpenTransaction bury = transaction();

        beat.does(session -> beat(session, NODE));
        Future<Integer> buried = bury.waitsToDo(session -> bury(session));
        beat.commit();

        assertEquals(0, OpenTransaction.answer(buried));
        bury.commit();
        assertEquals(1, living());
    }

    @Test
    void a_heartbeat_waits_for_a_burial_in_progress_and_brings_the_node_back() throws Exception {
        silent(NODE);
        OpenTransaction bury = transaction();
        OpenTransaction beat = transaction();

        assertCount(1, bury.does(session -> bury(session)));
        Future<Integer> back = beat.waitsToDo(session -> beat(session, NODE));
        bury.commit();

        assertEquals(1, OpenTransaction.answer(back));
        beat.commit();
        assertEquals(1, living());
    }

    @Test
    void leases_that_a_silent_node_takes_during_its_burial_are_orphans_and_do_not_vanish() throws Exception {
        silent(NODE);
        List<JobId> ids = kept(5);
        OpenTransaction claim = transaction();
        OpenTransaction bury = transaction();

        claim.does(session -> verbs.claim(session, NODE, LaneIds.DEFAULT, FULL));
        assertCount(1, bury.does(session -> bury(session))); // it cannot see the claim
        bury.commit();
        claim.commit();
        List<Leased> orphans = storage.orphans(SILENCE, FULL);
        assertEquals(new HashSet<>(ids), new HashSet<>(idsOf(orphans)));

        beat(NODE);
        assertEquals(List.of(), storage.orphans(SILENCE, FULL), "a node that was only slow keeps what it has");
        assertEquals(5, storage.leasesOf(NODE).size());
    }

    @Test
    void a_node_that_beats_while_its_leases_are_being_rescued_loses_them_and_lives() throws Exception {
        silent(NODE);
        List<Leased> leases = claimed(3);
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

    private List<JobId> parkedJobs(int count) {
        List<Leased> leases = claimed(count);
        storage.record(all(leases, Interleaving::parked));
        beat(OTHER);
        return idsOf(leases);
    }

    /** Makes a node known that was last heard of long ago. */
    private void silent(NodeId node) throws SQLException {
        beat(node);
        try (var connection = database.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("update treadle_node set beat_at = now() - interval '1 hour' where id = " + node.value());
        }
    }

    private int living() throws SQLException {
        return count("select count(*) from treadle_node where gone_at is null");
    }

    private int beat(Session session, NodeId node) throws SQLException {
        verbs.beat(session, new dev.treadle.storage.NodeInfo(node, "a node", "pool", 4));
        return 1;
    }

    private static int bury(Session session) throws SQLException {
        try (PreparedStatement bury = session.prepare(Verb.BURY)) {
            bury.setObject(1, Rows.micros(SILENCE));
            int buried = 0;
            try (ResultSet rows = bury.executeQuery()) {
                while (rows.next()) {
                    buried++;
                }
            }
            return buried;
        }
    }
}
