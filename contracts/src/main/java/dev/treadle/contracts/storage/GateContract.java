package dev.treadle.contracts.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.JoinRule;
import dev.treadle.job.KeyRule;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Gate;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RetentionSettings;
import dev.treadle.lifecycle.RunId;
import dev.treadle.storage.GateStorage.Answer;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.TransactionalStorage;
import dev.treadle.storage.admin.JobSearch.GateSeen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every storage must do with the gates at which jobs wait. Extend it, hand over an empty storage, and it runs. */
public abstract class GateContract extends GateWords {
    /** For subclasses. */
    protected GateContract() {}

    @Test
    final void a_suspended_job_goes_on_when_its_only_child_has_succeeded() {
        Lease parent = claimed();
        spawn(parent, "child", 1);
        suspend(parent, "child", JoinRule.ALL_SUCCEED);
        assertEquals(StateName.WAITING, state(parent));
        assertEquals(0, open(), "its child has not ended");
        assertEquals(1, storage.search().counts().get(StateName.WAITING));

        assertWritten(Endings.completed(take(NODE, child(parent, "child", 0))));

        assertTrue(storage.outlook(NODE).gates(), "somebody has to look");
        assertEquals(1, open());
        assertFalse(storage.outlook(NODE).gates(), "all was looked at");
        assertEquals(StateName.ENQUEUED, state(parent));
        assertEquals(0, storage.search().counts().get(StateName.WAITING));
        assertEquals(1, claim(NODE, parent.job().id()).job().attempt(), "the wait was no attempt");
        assertEquals(1, gate(parent, "child").succeeded());
    }

    @Test
    final void a_gate_opens_for_its_waiter_once() {
        Lease parent = claimed();
        spawn(parent, "child", 2);
        suspend(parent, "child", JoinRule.ANY_SUCCEEDS);
        assertWritten(Endings.completed(take(NODE, child(parent, "child", 0))));
        assertEquals(1, open());
        Lease again = claim(NODE, parent.job().id());

        assertEquals(0, open(), "it runs");
        suspendWithoutGate(again);
        assertEquals(0, open(), "it waits for nothing that is known");
        assertEquals(StateName.WAITING, state(parent));
    }

    @Test
    final void a_child_that_ended_before_the_job_was_suspended_is_counted() {
        Lease parent = claimed();
        spawn(parent, "child", 1);
        assertWritten(Endings.completed(take(NODE, child(parent, "child", 0))));
        open();
        assertInstanceOf(Answer.Written.class, gates().await(RunId.of(parent), "child", JoinRule.ALL_SUCCEED));
        assertWritten(Endings.suspended(parent));

        assertEquals(1, open());
        assertEquals(StateName.ENQUEUED, state(parent));
    }

    @Test
    final void more_children_may_come_until_the_last_was_spawned() {
        Lease parent = claimed();
        assertEquals(
                2,
                written(gates().spawn(RunId.of(parent), "child", 0, children(parent, "child", 0, 2), false))
                        .spawned());
        suspend(parent, "child", JoinRule.ALL_END);
        assertWritten(Endings.completed(take(NODE, child(parent, "child", 0))));
        assertWritten(Endings.completed(take(NODE, child(parent, "child", 1))));
        assertEquals(0, open(), "nobody has said that those are all");
        assertEquals(StateName.WAITING, state(parent));
    }

    @Test
    final void spawning_again_changes_nothing() {
        Lease parent = claimed();
        List<NewJob> first = children(parent, "child", 0, 3);
        gates().spawn(RunId.of(parent), "child", 0, first, false);
        assertEquals(
                3,
                written(gates().spawn(RunId.of(parent), "child", 0, first, false))
                        .spawned());
        Gate sealed = written(gates().spawn(RunId.of(parent), "child", 3, children(parent, "child", 3, 2), true));
        assertEquals(5, sealed.spawned());
        assertEquals(5, sealed.need());
        gates().spawn(RunId.of(parent), "child", 5, children(parent, "child", 5, 2), true);

        assertEquals(sealed, gate(parent, "child"));
        assertEquals(List.of(new GateSeen(sealed, null, null)), seen(parent));
        assertEquals(
                6, storage.search().counts().values().stream().mapToLong(n -> n).sum());
    }

    @Test
    final void a_run_that_lost_its_lease_spawns_nothing_and_waits_for_nothing() {
        Lease parent = claimed();
        spawn(parent, "child", 1);
        assertEquals(WriteResult.WRITTEN, storage.cancel(parent.job().id(), ANNA));

        assertInstanceOf(
                Answer.LeaseLost.class,
                gates().spawn(RunId.of(parent), "more", 0, children(parent, "more", 0, 1), true));
        assertInstanceOf(Answer.LeaseLost.class, gates().await(RunId.of(parent), "child", JoinRule.ALL_END));
        assertFalse(storage.queries().find(child(parent, "more", 0)).isPresent());
    }

    @Test
    final void each_rule_opens_when_its_need_is_met() {
        assertEquals(List.of(0, 0, 1), openings(JoinRule.ALL_END, "sfs"));
        assertEquals(List.of(0, 1), openings(JoinRule.ALL_SUCCEED, "sf"));
        assertEquals(List.of(0, 0, 1), openings(JoinRule.ALL_SUCCEED, "sss"));
        assertEquals(List.of(0, 1), openings(JoinRule.ANY_SUCCEEDS, "fs"));
        assertEquals(List.of(0, 0, 1), openings(JoinRule.ANY_SUCCEEDS, "ffc"));
    }

    /** Three children end one after the other; how many jobs go on after each. */
    private List<Integer> openings(JoinRule rule, String endings) {
        Lease parent = claimed();
        spawn(parent, "child", 3);
        suspend(parent, "child", rule);
        List<Integer> openings = new ArrayList<>();
        for (int i = 0; i < endings.length(); i++) {
            JobId child = child(parent, "child", i);
            switch (endings.charAt(i)) {
                case 's' -> assertWritten(Endings.completed(take(NODE, child)));
                case 'f' -> assertWritten(Endings.failed(take(NODE, child)));
                default -> assertEquals(WriteResult.WRITTEN, storage.cancel(child, ANNA));
            }
            openings.add(open());
        }
        storage.claim(NODE, FULL).forEach(left -> assertWritten(Endings.completed(left)));
        taken.clear();
        return openings;
    }

    @Test
    final void the_first_failure_cancels_the_rest() {
        Lease parent = claimed();
        spawn(parent, "child", TransactionalStorage.ACT_MAX * 2 + 10);
        suspend(parent, "child", JoinRule.ALL_SUCCEED);
        assertWritten(Endings.failed(take(NODE, child(parent, "child", 5))));

        assertEquals(1, open());

        Gate gate = gate(parent, "child");
        assertEquals(gate.need(), gate.ended());
        assertEquals(0, gate.succeeded());
        assertEquals(StateName.CANCELLED, state(child(parent, "child", TransactionalStorage.ACT_MAX * 2 + 9)));
    }

    @Test
    final void a_cancelled_job_cancels_its_children_and_theirs() {
        Lease root = claimed();
        spawn(root, "child", 3);
        suspend(root, "child", JoinRule.ALL_END);
        Lease child = take(NODE, child(root, "child", 1));
        spawn(child, "leaf", 2);
        suspend(child, "leaf", JoinRule.ALL_END);
        Lease leaf = take(OTHER, child(child, "leaf", 0));

        assertEquals(WriteResult.WRITTEN, storage.cancel(root.job().id(), ANNA));
        assertEquals(0, open());

        assertEquals(StateName.CANCELLED, state(leaf));
        assertEquals(6, storage.search().counts().get(StateName.CANCELLED));
        assertEquals(2, storage.runs().stopRequests(OTHER).size(), "running leaves are asked to end");
        assertEquals(0, storage.search().counts().get(StateName.WAITING));
    }

    @Test
    final void a_job_that_fails_for_good_cancels_its_children() {
        Lease parent = claimed();
        spawn(parent, "child", 2);
        assertWritten(Endings.failed(parent));

        open();

        assertEquals(StateName.CANCELLED, state(child(parent, "child", 0)));
        assertEquals(StateName.CANCELLED, state(child(parent, "child", 1)));
    }

    @Test
    final void a_job_whose_node_was_lost_for_good_cancels_its_children() {
        Lease parent = claimed();
        spawn(parent, "child", 1);
        assertEquals(List.of(WriteResult.WRITTEN), storage.rescue(List.of(Endings.lost(parent))));

        open();

        assertEquals(StateName.CANCELLED, state(child(parent, "child", 0)));
    }

    @Test
    final void what_a_cancelled_job_spawns_when_it_is_run_again_is_not_cancelled() {
        Lease parent = claimed();
        gates().spawn(RunId.of(parent), "child", 0, children(parent, "child", 0, 2), false);
        assertEquals(WriteResult.WRITTEN, storage.cancel(parent.job().id(), ANNA));
        open();
        assertEquals(StateName.CANCELLED, state(child(parent, "child", 1)));
        assertEquals(WriteResult.WRITTEN, storage.runAgain(parent.job().id(), ANNA));
        Lease again = claim(NODE, parent.job().id());

        gates().spawn(RunId.of(again), "child", 2, children(again, "child", 2, 2), true);
        suspend(again, "child", JoinRule.ALL_END);
        assertWritten(Endings.completed(take(NODE, child(parent, "child", 2))));
        assertEquals(0, open());

        assertEquals(StateName.PROCESSING, state(take(NODE, child(parent, "child", 3))));
        assertEquals(3, gate(parent, "child").ended());
    }

    @Test
    final void a_child_that_runs_again_has_not_ended() {
        Lease parent = claimed();
        spawn(parent, "child", 2);
        JobId child = child(parent, "child", 0);
        assertWritten(Endings.failed(take(NODE, child)));
        open();
        assertEquals(1, gate(parent, "child").failed());

        assertEquals(WriteResult.WRITTEN, storage.runAgain(child, ANNA));
        assertEquals(0, gate(parent, "child").ended(), "also before anybody has looked");
        open();
        assertEquals(0, gate(parent, "child").failed());
        assertWritten(Endings.completed(take(NODE, child)));
        open();

        assertEquals(1, gate(parent, "child").succeeded());
    }

    @Test
    final void a_deleted_child_counts_as_one_that_failed() {
        Lease parent = claimed();
        spawn(parent, "child", 1);
        suspend(parent, "child", JoinRule.ALL_END);
        delete(child(parent, "child", 0));

        assertEquals(1, open());
        assertEquals(1, gate(parent, "child").failed());
    }

    @Test
    final void children_with_a_key_are_counted_too() {
        Lease parent = claimed();
        NewJob plain = children(parent, "child", 0, 1).get(0);
        NewJob keyed = new NewJob(
                plain.id(), plain.invocation(), plain.due(), plain.traits().withKey(KeyRule.limit("tenant", 1)));
        gates().spawn(RunId.of(parent), "child", 0, List.of(keyed), true);
        suspend(parent, "child", JoinRule.ALL_SUCCEED);

        assertWritten(Endings.completed(claim(NODE, keyed.id())));

        assertEquals(1, open());
    }

    @Test
    final void a_job_that_waits_at_a_gate_lets_go_of_the_slot_of_its_limit() {
        JobTraits one = JobTraits.DEFAULT.withKey(KeyRule.limit("tenant", 1));
        Lease parent = claimed(jobs.withTraits(one));
        JobId next = keep(jobs.withTraits(one));
        spawn(parent, "child", 1);
        suspend(parent, "child", JoinRule.ALL_SUCCEED);
        Lease other = take(NODE, next);
        assertWritten(Endings.completed(take(NODE, child(parent, "child", 0))));

        assertEquals(1, open());
        assertEquals(List.of(), storage.claim(NODE, FULL), "it waits for its slot again");
        assertWritten(Endings.completed(other));

        assertEquals(parent.job().id(), storage.claim(NODE, FULL).get(0).job().id());
    }

    @Test
    final void children_are_kept_while_their_parent_has_not_ended() {
        Lease parent = claimed();
        spawn(parent, "child", 1);
        JobId child = child(parent, "child", 0);
        assertWritten(Endings.completed(take(NODE, child)));
        RetentionSettings none =
                RetentionSettings.FOR_EVER.withUsual(RetentionSettings.Ages.FOR_EVER.withSucceeded(Duration.ZERO));

        retire(none);
        assertTrue(storage.queries().find(child).isPresent(), "its parent may read what it returned");
        assertWritten(Endings.completed(parent));
        retire(none);

        assertFalse(storage.queries().find(child).isPresent());
        assertEquals(List.of(), seen(parent));
    }

    private void retire(RetentionSettings settings) {
        for (int step = 0; step < 10; step++) {
            storage.deleteEnded(NODE, settings, FULL);
        }
    }
}
