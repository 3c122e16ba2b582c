package dev.treadle.storage.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.treadle.job.Due;
import dev.treadle.job.Failure;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.KeyRule;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.AttemptEnd;
import dev.treadle.lifecycle.Details;
import dev.treadle.lifecycle.JobAction;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.Transition;
import dev.treadle.lifecycle.Trigger;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.sql.admin.SqlOperators;
import dev.treadle.storage.sql.rows.LaneIds;
import dev.treadle.storage.sql.session.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A move of a job with a key in the middle, and another move of the same key. */
class KeyInterleavingTest extends Interleaving {
    private static final KeyRule ONE = KeyRule.mailbox("one");
    private static final int ROUNDS = 10;

    private NewJob aJobWith(KeyRule rule) {
        return jobs.withTraits(JobTraits.DEFAULT.withKey(rule));
    }

    private JobId kept(KeyRule rule) {
        NewJob job = aJobWith(rule);
        storage.insert(List.of(job));
        return job.id();
    }

    private Lease leased(KeyRule rule) {
        JobId id = kept(rule);
        List<Lease> taken = storage.claim(NODE, FULL);
        assertEquals(List.of(id), idsOf(taken));
        return taken.get(0);
    }

    @Test
    void who_acts_on_many_jobs_locks_their_keys_in_the_order_in_which_endings_do() throws Exception {
        JobId first = kept(KeyRule.limit("b", 1));
        JobId second = kept(KeyRule.limit("a", 1));
        OpenTransaction endings = transaction();

        endings.does(session -> hold(session, "a"));
        Future<List<WriteResult>> acted = CompletableFuture.supplyAsync(() ->
                storage.act(JobAction.CANCEL, BY_TEST, List.of(first, second), JobAction.CANCEL.on("a test", BY_TEST)));
        OpenTransaction.untilSomeoneWaits(database);
        assertCount(1, endings.does(session -> hold(session, "b"))); // or each would wait for the other
        endings.close();

        assertEquals(List.of(WriteResult.WRITTEN, WriteResult.WRITTEN), OpenTransaction.answer(acted));
    }

    private int hold(Session session, String limit) throws SQLException {
        return verbs.keys()
                .hold(session, new TreeSet<>(Set.of(KeyRule.limit(limit, 1).line())))
                .size();
    }

    @Test
    void an_ending_waits_for_an_enqueue_in_progress_and_lets_that_job_go_on() throws Exception {
        Lease holder = leased(ONE);
        NewJob next = aJobWith(ONE);
        OpenTransaction enqueue = transaction();
        OpenTransaction owner = transaction();

        enqueue.does(session -> keys.insert(session, List.of(next)));
        Future<Set<RunId>> end = owner.waitsToDo(session -> keys.end(session, List.of(completed(holder))));
        enqueue.commit();
        assertEquals(1, OpenTransaction.answer(end).size());
        owner.commit();

        assertEquals(List.of(next.id()), idsOf(storage.claim(NODE, FULL)));
    }

    @Test
    void an_enqueue_waits_for_the_last_ending_in_progress_and_finds_the_key_free_though_its_row_is_gone()
            throws Exception {
        Lease holder = leased(ONE);
        NewJob next = aJobWith(ONE);
        OpenTransaction owner = transaction();
        OpenTransaction enqueue = transaction();

        owner.does(session -> keys.end(session, List.of(completed(holder))));
        Future<Set<JobId>> kept = enqueue.waitsToDo(session -> keys.insert(session, List.of(next)));
        owner.commit();
        assertEquals(Set.of(next.id()), OpenTransaction.answer(kept));
        enqueue.commit();

        assertEquals(List.of(next.id()), idsOf(storage.claim(NODE, FULL)));
    }

    @Test
    void an_enqueue_that_waited_for_an_ending_that_was_rolled_back_stays_in_the_line() throws Exception {
        Lease holder = leased(ONE);
        NewJob next = aJobWith(ONE);
        OpenTransaction owner = transaction();
        OpenTransaction enqueue = transaction();

        owner.does(session -> keys.end(session, List.of(completed(holder))));
        Future<Set<JobId>> kept = enqueue.waitsToDo(session -> keys.insert(session, List.of(next)));
        owner.close();
        OpenTransaction.answer(kept);
        enqueue.commit();

        assertEquals(List.of(), storage.claim(NODE, FULL));
        assertEquals(
                WriteResult.WRITTEN, storage.record(List.of(completed(holder))).get(0));
        assertEquals(List.of(next.id()), idsOf(storage.claim(NODE, FULL)));
    }

    @Test
    void a_cancel_of_the_next_waits_for_the_ending_that_lets_it_go_on_and_passes_its_slot_to_the_one_after()
            throws Exception {
        Lease holder = leased(ONE);
        JobId next = kept(ONE);
        JobId after = kept(ONE);
        OpenTransaction owner = transaction();
        OpenTransaction cancel = transaction();

        owner.does(session -> keys.end(session, List.of(completed(holder))));
        Future<WriteResult> cancelled = cancel.waitsToDo(
                session -> SqlOperators.change(session, keys, next, Trigger.CANCEL, Details.of(BY_TEST)));
        owner.commit();
        assertEquals(WriteResult.WRITTEN, OpenTransaction.answer(cancelled));
        cancel.commit();

        assertEquals(StateName.CANCELLED, stateOf(next));
        assertEquals(List.of(after), idsOf(storage.claim(NODE, FULL)));
    }

    @Test
    void a_rescue_and_a_completion_of_one_lease_let_go_of_one_slot() throws Exception {
        KeyRule two = KeyRule.limit("two", 2);
        kept(two);
        kept(two);
        List<Lease> leases = storage.claim(NODE, FULL);
        JobId third = kept(two);
        kept(two);
        OpenTransaction rescue = transaction();
        OpenTransaction owner = transaction();

        rescue.does(session -> keys.end(session, List.of(rescued(leases.get(0)))));
        Future<Set<RunId>> late = owner.waitsToDo(session -> keys.end(session, List.of(completed(leases.get(0)))));
        rescue.commit();
        assertEquals(Set.of(), OpenTransaction.answer(late));
        owner.commit();

        assertEquals(List.of(third), idsOf(storage.claim(NODE, FULL)));
    }

    @Test
    void two_who_end_jobs_of_the_same_keys_in_opposite_order_do_not_deadlock() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            int keyCount = 50;
            for (int i = 0; i < 2; i++) {
                storage.insert(IntStream.range(0, keyCount)
                        .mapToObj(key -> aJobWith(KeyRule.limit("key " + key, 2)))
                        .toList());
            }
            List<Lease> leases = storage.claim(NODE, FULL);
            assertEquals(2 * keyCount, leases.size());
            List<Lease> backwards = new ArrayList<>(leases.subList(keyCount, 2 * keyCount));
            Collections.reverse(backwards);
            OpenTransaction pause = transaction();
            OpenTransaction one = transaction();
            OpenTransaction other = transaction();

            // in the middle of the keys, so that both hold some and want others when they go on
            pause.execute("select * from treadle_key where line = 'limit key 25' for update");
            Future<Set<RunId>> forth = one.waitsToDo(
                    session -> endAndCommit(session, all(leases.subList(0, keyCount), Interleaving::completed)));
            Future<Set<RunId>> back =
                    other.waitsToDo(session -> endAndCommit(session, all(backwards, Interleaving::completed)));
            pause.commit();

            assertEquals(keyCount, OpenTransaction.answer(forth).size());
            assertEquals(keyCount, OpenTransaction.answer(back).size());
            pause.close();
            one.close();
            other.close();
        }
    }

    private Set<RunId> endAndCommit(Session session, List<Transition> endings) throws java.sql.SQLException {
        Set<RunId> ended = keys.end(session, endings);
        session.connection().commit();
        return ended;
    }

    @Test
    void a_promotion_that_waited_for_a_key_leaves_a_job_alone_that_has_meanwhile_run_and_awaits_its_retry()
            throws Exception {
        KeyRule skips = KeyRule.mailbox("one").skippingRetries();
        NewJob due = aJobWith(skips);
        storage.insert(
                List.of(new NewJob(due.id(), due.invocation(), new Due.After(Duration.ofMillis(1)), due.traits())));
        Awaitility.await().until(() -> count("select count(*) from treadle_keyed where due_at <= now()") == 1);
        OpenTransaction quick = transaction();
        OpenTransaction slow = transaction();

        assertCount(1, quick.does(session -> keys.promote(session, FULL)));
        Future<Integer> late = slow.waitsToDo(session -> keys.promote(session, FULL));
        Lease lease = quick.does(session -> verbs.claim(session, NODE, LaneIds.DEFAULT, 1))
                .get(0);
        Transition retry = AttemptEnd.retried(lease, Duration.ZERO, Failure.because("x", "y"), Duration.ofHours(1));
        quick.does(session -> keys.end(session, List.of(retry)));
        quick.commit();

        assertCount(0, OpenTransaction.answer(late));
        slow.commit();
        assertEquals(StateName.SCHEDULED, stateOf(due.id()));
        assertEquals(List.of(), storage.claim(NODE, FULL));
    }

    @Test
    void a_claim_does_not_wait_for_a_key_that_is_being_changed() throws Exception {
        Lease holder = leased(ONE);
        kept(ONE);
        JobId other = kept(KeyRule.mailbox("other"));
        OpenTransaction owner = transaction();

        owner.does(session -> keys.end(session, List.of(completed(holder))));

        assertEquals(List.of(other), idsOf(storage.claim(NODE, FULL)));
        owner.commit();
    }
}
