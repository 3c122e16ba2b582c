package dev.treadle.storage.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.treadle.job.Due;
import dev.treadle.job.EnqueueResult;
import dev.treadle.job.EnqueueResult.Answer;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.KeyRule;
import dev.treadle.job.StateName;
import dev.treadle.job.Unique.OnConflict;
import dev.treadle.job.Unique.Span;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.UniqueTerms.Asked;
import dev.treadle.storage.NewJob;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A transaction of the application that holds a key, a name or a job in the middle, and what the engine and others do. */
class JoinedInterleavingTest extends Interleaving {
    private static final KeyRule ONE = KeyRule.mailbox("one");
    private static final KeyRule OTHER_KEY = KeyRule.mailbox("other");
    private static final Asked KEEP = new Asked("name", Span.WAITING_OR_RUNNING, null, OnConflict.KEEP);

    private Connection caller;

    private Connection begin() throws SQLException {
        caller = database.getConnection();
        caller.setAutoCommit(false);
        return caller;
    }

    private void end(boolean commit) throws SQLException {
        try (Connection ending = caller) {
            caller = null;
            if (commit) {
                ending.commit();
            } else {
                ending.rollback();
            }
            ending.setAutoCommit(true);
        }
    }

    @AfterEach
    void endWhatIsOpen() throws SQLException {
        if (caller != null) {
            end(false);
        }
    }

    private NewJob aJobWith(KeyRule rule) {
        return jobs.withTraits(JobTraits.DEFAULT.withKey(rule));
    }

    private Lease leased(KeyRule rule) {
        storage.insert(List.of(aJobWith(rule)));
        List<Lease> taken = storage.claim(NODE, FULL);
        assertEquals(1, taken.size());
        return taken.get(0);
    }

    private void anEndingOfTheKeyWaits(boolean commit) throws Exception {
        Lease holder = leased(ONE);
        Lease other = leased(OTHER_KEY);
        NewJob next = aJobWith(ONE);
        storage.in(begin(), null).insert(List.of(next));

        assertEquals(
                List.of(WriteResult.BUSY, WriteResult.WRITTEN),
                storage.record(List.of(completed(holder), completed(other))),
                "the ending of another key does not wait");
        assertEquals(StateName.PROCESSING, stateOf(holder.job().id()));
        assertEquals(List.of(WriteResult.BUSY), storage.record(List.of(completed(holder))));
        end(commit);

        assertEquals(List.of(WriteResult.WRITTEN), storage.record(List.of(completed(holder))));
        assertEquals(commit ? List.of(next.id()) : List.of(), idsOf(storage.claim(NODE, FULL)));
    }

    @Test
    void an_ending_of_a_key_that_is_held_is_put_off_and_lets_the_job_go_on_that_was_committed() throws Exception {
        anEndingOfTheKeyWaits(true);
    }

    @Test
    void an_ending_of_a_key_that_is_held_is_put_off_and_written_after_the_rollback() throws Exception {
        anEndingOfTheKeyWaits(false);
    }

    @Test
    void of_two_endings_of_one_lease_none_is_lost_while_its_key_is_held() throws Exception {
        Lease holder = leased(ONE);
        storage.in(begin(), null).insert(List.of(aJobWith(ONE)));

        assertEquals(
                List.of(WriteResult.BUSY, WriteResult.BUSY),
                storage.record(List.of(completed(holder), completed(holder))));
        end(false);

        assertEquals(
                List.of(WriteResult.WRITTEN, WriteResult.WRITTEN),
                storage.record(List.of(completed(holder), completed(holder))));
    }

    @Test
    void an_ending_in_the_callers_own_transaction_waits_for_a_key_and_is_answered() throws Exception {
        Lease holder = leased(ONE);
        OpenTransaction enqueue = transaction();
        NewJob next = aJobWith(ONE);
        enqueue.does(session -> keys.insert(session, List.of(next)));
        var joined = storage.in(begin(), null);

        Future<List<WriteResult>> answer =
                CompletableFuture.supplyAsync(() -> joined.record(List.of(completed(holder))));
        OpenTransaction.untilSomeoneWaits(database);
        enqueue.commit();

        assertEquals(List.of(WriteResult.WRITTEN), OpenTransaction.answer(answer));
        end(true);
        assertEquals(List.of(next.id()), idsOf(storage.claim(NODE, FULL)));
    }

    private EnqueueResult another(NewJob second, boolean commit) throws Exception {
        Future<EnqueueResult> late = CompletableFuture.supplyAsync(() -> storage.insertUnique(second, KEEP));
        OpenTransaction.untilSomeoneWaits(database);
        end(commit);
        return OpenTransaction.answer(late);
    }

    @Test
    void another_of_a_name_waits_for_the_commit_and_is_not_kept() throws Exception {
        NewJob first = jobs.anEnqueuedJob();
        storage.in(begin(), null).insertUnique(first, KEEP);

        assertEquals(new EnqueueResult(Answer.KEPT, first.id()), another(jobs.anEnqueuedJob(), true));
        assertEquals(List.of(first.id()), idsOf(storage.claim(NODE, FULL)));
    }

    @Test
    void another_of_a_name_waits_for_the_rollback_and_is_kept() throws Exception {
        storage.in(begin(), null).insertUnique(jobs.anEnqueuedJob(), KEEP);
        NewJob second = jobs.anEnqueuedJob();

        assertEquals(new EnqueueResult(Answer.ENQUEUED, second.id()), another(second, false));
        assertEquals(List.of(second.id()), idsOf(storage.claim(NODE, FULL)));
    }

    @Test
    void a_job_that_is_being_cancelled_is_passed_by_and_claimed_after_a_rollback() throws Exception {
        JobId id = kept(1).get(0);
        storage.in(begin(), null).cancel(id, BY_TEST);

        assertEquals(List.of(), storage.claim(NODE, FULL));
        List<JobId> others = kept(2);
        assertEquals(others, idsOf(storage.claim(NODE, FULL)));
        end(false);

        Awaitility.await().until(() -> idsOf(storage.claim(NODE, FULL)).equals(List.of(id)));
    }

    @Test
    void promoting_does_not_wait_for_a_key_that_is_held_or_that_is_being_made() throws Exception {
        NewJob due = aJobWith(ONE);
        NewJob other = aJobWith(OTHER_KEY);
        for (NewJob job : List.of(due, other)) {
            storage.insert(
                    List.of(new NewJob(job.id(), job.invocation(), new Due.After(Duration.ofMillis(1)), job.traits())));
        }
        Awaitility.await().until(() -> count("select count(*) from treadle_keyed where due_at <= now()") == 2);
        // its row is new: no other transaction sees it
        storage.in(begin(), null).insert(List.of(aJobWith(ONE)));

        long began = System.nanoTime();
        storage.promote(FULL);
        assertEquals(List.of(other.id()), idsOf(storage.claim(NODE, FULL)));
        assertEquals(true, Duration.ofNanos(System.nanoTime() - began).toSeconds() < 6, "it waited");
        end(false);

        storage.promote(FULL);
        assertEquals(List.of(due.id()), idsOf(storage.claim(NODE, FULL)));
    }
}
