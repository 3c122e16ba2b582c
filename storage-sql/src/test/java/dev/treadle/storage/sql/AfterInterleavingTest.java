package dev.treadle.storage.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.AfterRule;
import dev.treadle.job.Due;
import dev.treadle.job.JobId;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.sql.rows.LaneIds;
import java.sql.Connection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A job that is being put after another, and an ending or a claim of that in the middle of being written. */
class AfterInterleavingTest extends Interleaving {
    private final ExecutorService other = Executors.newSingleThreadExecutor();

    @AfterEach
    void stop() {
        other.shutdownNow();
    }

    @Test
    void an_ending_that_waits_for_an_enqueue_in_progress_is_written_and_told() throws Exception {
        for (int count : List.of(1, 2, FULL)) {
            List<Lease> leases = claimed(count);
            NewJob next = after(leases.get(count / 2).job().id());

            List<WriteResult> written = recordWhile(
                    next, leases.stream().map(Interleaving::completed).toList());

            assertEquals(Collections.frequency(written, WriteResult.WRITTEN), count - 1, "of " + count);
            assertEquals(WriteResult.FOLLOWED, written.get(count / 2));
            opensFor(next.id());
        }
    }

    @Test
    void so_is_a_failure() throws Exception {
        Lease lease = claimed();
        NewJob next = after(lease.job().id());

        assertEquals(List.of(WriteResult.FOLLOWED), recordWhile(next, List.of(failed(lease))));
        opensFor(next.id());
    }

    /** Writes endings while a transaction that puts a job after one of them is open, and commits that when they wait. */
    private List<WriteResult> recordWhile(NewJob next, List<Transition> endings) throws Exception {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            storage.in(connection, null).insert(List.of(next));
            Future<List<WriteResult>> late = other.submit(() -> storage.record(endings));
            OpenTransaction.untilSomeoneWaits(database);
            connection.commit();
            connection.setAutoCommit(true);
            return OpenTransaction.answer(late);
        }
    }

    @Test
    void an_enqueue_waits_for_an_ending_in_progress_and_counts_it() throws Exception {
        Lease lease = claimed();
        NewJob next = after(lease.job().id());
        OpenTransaction owner = transaction();

        owner.does(session -> verbs.end(session, List.of(completed(lease))));
        Future<Set<JobId>> late = other.submit(() -> storage.insert(List.of(next)));
        OpenTransaction.untilSomeoneWaits(database);
        owner.commit();

        assertEquals(Set.of(), OpenTransaction.answer(late));
        opensFor(next.id());
    }

    @Test
    void an_enqueue_waits_for_a_claim_in_progress_and_marks_its_lease() throws Exception {
        JobId first = kept(1).get(0);
        NewJob next = after(first);
        OpenTransaction claimer = transaction();

        List<Lease> claimed = claimer.does(session -> verbs.claim(session, NODE, LaneIds.DEFAULT, 1));
        Future<Set<JobId>> late = other.submit(() -> storage.insert(List.of(next)));
        OpenTransaction.untilSomeoneWaits(database);
        claimer.commit();
        OpenTransaction.answer(late);

        assertEquals(List.of(WriteResult.FOLLOWED), storage.record(List.of(completed(claimed.get(0)))));
        opensFor(next.id());
    }

    @Test
    void a_claim_passes_over_a_job_while_another_is_put_after_it() throws Exception {
        JobId first = kept(1).get(0);
        NewJob next = after(first);
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            storage.in(connection, null).insert(List.of(next));
            if (!isPortable()) {
                assertEquals(List.of(), storage.claim(NODE, 1));
            }
            connection.commit();
            connection.setAutoCommit(true);
        }

        Lease lease = storage.claim(NODE, 1).get(0);
        assertTrue(lease.job().traits().isFollowed(), "who claims it later knows");
        storage.record(List.of(completed(lease)));
        opensFor(next.id());
    }

    @Test
    void a_claim_that_began_before_the_enqueue_and_finds_the_job_after_it_knows_or_takes_nothing() throws Exception {
        JobId first = kept(1).get(0);
        NewJob next = after(first);
        OpenTransaction holder = transaction();
        OpenTransaction claimer = transaction();
        slowClaims(holder);
        try {
            holder.execute("select pg_advisory_xact_lock(77)");
            claimer.execute("set local treadle.slow = 'yes'");
            Future<List<Lease>> claim = claimer.waitsToDo(session -> verbs.claim(session, NODE, LaneIds.DEFAULT, 1));
            storage.insert(List.of(next));
            holder.commit();
            List<Lease> claimed = OpenTransaction.answer(claim);
            claimer.commit();

            Lease lease = claimed.isEmpty() ? storage.claim(NODE, 1).get(0) : claimed.get(0);
            assertTrue(lease.job().traits().isFollowed(), "what it read is older than the mark");
            storage.record(List.of(completed(lease)));
            opensFor(next.id());
        } finally {
            holder.execute("drop trigger treadle_slow on treadle_ready");
            holder.commit();
        }
    }

    /** Has claims that are told to be slow wait for a lock once they have begun, before they look for jobs. */
    private static void slowClaims(OpenTransaction one) throws Exception {
        one.execute("""
                create or replace function treadle_slow() returns trigger language plpgsql as $$
                begin
                  if current_setting('treadle.slow', true) = 'yes' then
                    perform pg_advisory_xact_lock(77);
                  end if;
                  return null;
                end $$""");
        one.execute("create trigger treadle_slow before delete on treadle_ready for each statement"
                + " execute function treadle_slow()");
        one.commit();
    }

    private void opensFor(JobId next) {
        storage.runs().gates().open(FULL);
        assertEquals(StateName.ENQUEUED, stateOf(next));
        assertEquals(next, storage.claim(NODE, FULL).get(0).job().id());
    }

    private NewJob after(JobId first) {
        NewJob job = jobs.anEnqueuedJob();
        return new NewJob(
                job.id(), job.invocation(), new Due.AfterJobs(AfterRule.AFTER_END, List.of(first)), job.traits());
    }
}
