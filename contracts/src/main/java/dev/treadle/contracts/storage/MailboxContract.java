package dev.treadle.contracts.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.treadle.job.Due;
import dev.treadle.job.JobId;
import dev.treadle.job.JobState;
import dev.treadle.job.KeyRule;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Lease;
import dev.treadle.storage.NewJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What every storage must do with keys that let one job run at a time, in order. */
public abstract class MailboxContract extends KeyedStorage {
    private static final KeyRule.Mailbox ORDER = KeyRule.mailbox("order 42");

    /** For subclasses. */
    protected MailboxContract() {}

    @Test
    final void one_runs_at_a_time_in_the_order_in_which_they_were_enqueued_whatever_their_ids() {
        List<NewJob> batch = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            batch.add(aJobWith(ORDER));
        }
        Collections.shuffle(batch, new Random(7));
        List<JobId> expected = batch.stream().map(NewJob::id).toList();
        storage.insert(batch.subList(0, 20));
        storage.insert(batch.subList(20, 30));

        for (JobId next : expected) {
            Lease lease = assertClaims(next);
            assertNothingToClaim();
            assertWritten(Endings.completed(lease));
        }
        assertNothingToClaim();
    }

    @Test
    final void jobs_of_other_keys_and_without_one_pass() {
        List<JobId> mine = kept(ORDER, 2);
        List<JobId> other = kept(KeyRule.mailbox("order 43"), 2);
        List<JobId> limited = kept(KeyRule.limit(ORDER.key(), 1), 1);
        JobId plain = enqueued();

        assertClaims(List.of(mine.get(0), other.get(0), limited.get(0), plain));
    }

    @Test
    final void jobs_with_and_without_a_key_are_kept_by_one_call_and_ended_by_one() {
        NewJob plain = jobs.anEnqueuedJob();
        NewJob first = aJobWith(ORDER);
        NewJob later = aJobWith(ORDER, new Due.After(Jobs.LONG));
        NewJob second = aJobWith(ORDER);

        assertEquals(Set.of(), storage.insert(List.of(first, plain, later, second)));

        List<Lease> taken = storage.claim(NODE, FULL);
        assertEquals(Set.of(first.id(), plain.id()), Set.copyOf(idsOf(taken)));
        List<WriteResult> written =
                storage.record(taken.stream().map(Endings::completed).toList());
        assertEquals(List.of(WriteResult.WRITTEN, WriteResult.WRITTEN), written);
        assertStates(plain.id(), StateName.SUCCEEDED);
        assertStates(first.id(), StateName.SUCCEEDED);
        assertStates(later.id(), StateName.SCHEDULED);
        assertClaims(second.id());
    }

    @Test
    final void a_job_in_the_line_is_enqueued_and_tells_what_it_waits_for() {
        List<JobId> ids = kept(ORDER, 2);

        assertEquals(null, stateOf(ids.get(0), JobState.Enqueued.class).waitsFor());
        assertEquals(ORDER.key(), stateOf(ids.get(1), JobState.Enqueued.class).waitsFor());
        assertStates(ids.get(1), StateName.ENQUEUED);
        assertWritten(Endings.completed(assertClaims(ids.get(0))));
        assertEquals(null, stateOf(ids.get(1), JobState.Enqueued.class).waitsFor());
    }

    @Test
    final void a_job_that_awaits_a_retry_holds_its_key() {
        List<JobId> ids = kept(ORDER, 2);

        assertWritten(Endings.threw(assertClaims(ids.get(0)), Duration.ofMillis(50)));
        assertNothingToClaim();
        Lease again = claim(NODE, ids.get(0));
        assertNothingToClaim();
        assertWritten(Endings.threw(again, Jobs.LONG));
        storage.promote(FULL);
        assertNothingToClaim();
        assertStates(ids.get(0), StateName.SCHEDULED, StateName.SCHEDULED);

        assertEquals(WriteResult.WRITTEN, storage.cancel(ids.get(0), ANNA));
        assertClaims(ids.get(1));
    }

    @Test
    final void a_job_that_awaits_a_retry_lets_the_next_pass_if_the_key_skips_and_comes_back_last() {
        KeyRule skips = ORDER.skippingRetries();
        List<JobId> ids = kept(skips, 3);

        assertWritten(Endings.threw(assertClaims(ids.get(0)), Duration.ZERO));
        assertStates(ids.get(0), StateName.SCHEDULED);
        Lease second = assertClaims(ids.get(1));
        Patience.untilTrue("the retry is due", () -> storage.promote(FULL).moved() == 1);
        assertStates(ids.get(0), StateName.SCHEDULED, StateName.ENQUEUED);
        assertNothingToClaim();
        assertWritten(Endings.completed(second));
        assertWritten(Endings.completed(assertClaims(ids.get(2))));
        Lease again = assertClaims(ids.get(0));
        assertEquals(2, again.job().attempt());
        assertWritten(Endings.completed(again));
        assertNothingToClaim();
    }

    @Test
    final void a_job_that_failed_for_good_or_was_cancelled_lets_the_next_go_on() {
        List<JobId> ids = kept(ORDER, 5);

        Lease first = assertClaims(ids.get(0));
        assertWritten(Endings.failed(first));
        assertWritten(Endings.failed(first));
        storage.cancel(ids.get(2), ANNA);
        storage.cancel(ids.get(1), ANNA);
        Lease cancelled = assertClaims(ids.get(3));
        assertEquals(WriteResult.WRITTEN, storage.cancel(ids.get(3), ANNA));
        Lease last = assertClaims(ids.get(4));
        assertStale(Endings.completed(cancelled));
        assertNothingToClaim();
        assertWritten(Endings.completed(last));
        assertNothingToClaim();
    }

    @Test
    final void what_was_given_back_comes_first_again() {
        List<JobId> ids = kept(ORDER, 2);

        assertWritten(Endings.givenBack(assertClaims(ids.get(0))));
        assertWritten(Endings.stopped(assertClaims(ids.get(0))));
        assertWritten(Endings.completed(assertClaims(ids.get(0))));
        assertClaims(ids.get(1));
    }

    @Test
    final void a_rescued_job_holds_its_key_and_the_fenced_node_lets_nothing_go_on() {
        List<JobId> ids = kept(ORDER, 2);
        Lease lost = assertClaims(ids.get(0));

        assertWritten(Endings.rescued(lost, Duration.ZERO));
        assertStale(Endings.completed(lost));
        assertNothingToClaim();
        Lease again = claim(OTHER, ids.get(0));
        assertStale(Endings.failed(lost));
        assertNothingToClaim();
        assertWritten(Endings.completed(again));
        assertClaims(ids.get(1));
    }

    @Test
    final void a_parked_job_holds_its_key_until_it_has_run() {
        List<JobId> ids = kept(ORDER, 2);

        assertWritten(Endings.parked(assertClaims(ids.get(0))));
        assertNothingToClaim();
        assertEquals(1, storage.unpark(NODE, Jobs.TARGET, FULL));
        assertWritten(Endings.parked(assertClaims(ids.get(0))));
        assertEquals(WriteResult.WRITTEN, storage.runAgain(ids.get(0), ANNA));
        assertWritten(Endings.completed(assertClaims(ids.get(0))));
        assertClaims(ids.get(1));
    }

    @Test
    final void a_job_due_later_joins_the_line_when_it_is_due() {
        JobId later = keep(aJobWith(ORDER, new Due.After(Duration.ofMillis(1))));
        JobId never = keep(aJobWith(ORDER, new Due.After(Jobs.LONG)));
        JobId now = keep(aJobWith(ORDER));

        assertStates(later, StateName.SCHEDULED);
        Lease first = assertClaims(now);
        Patience.untilTrue("a job is due", () -> storage.promote(FULL).moved() == 1);
        assertStates(later, StateName.ENQUEUED);
        assertNothingToClaim();
        assertWritten(Endings.completed(first));
        assertWritten(Endings.completed(assertClaims(later)));
        assertStates(never, StateName.SCHEDULED);
        storage.cancel(never, ANNA);
        assertStates(never, StateName.CANCELLED);
        assertNothingToClaim();
    }

    @Test
    final void a_job_that_is_run_again_goes_to_the_end_of_the_line() {
        List<JobId> ids = kept(ORDER, 3);
        assertWritten(Endings.failed(assertClaims(ids.get(0))));

        assertEquals(WriteResult.WRITTEN, storage.runAgain(ids.get(0), ANNA));

        assertStates(ids.get(0), StateName.FAILED, StateName.ENQUEUED);
        assertEquals(List.of(ids.get(1), ids.get(2), ids.get(0)), drained());
    }

    @Test
    final void a_job_that_is_inserted_twice_stands_in_the_line_once() {
        NewJob first = aJobWith(ORDER);
        NewJob second = aJobWith(ORDER);
        storage.insert(List.of(first, second));
        assertEquals(Set.of(first.id(), second.id()), storage.insert(List.of(second, first)));

        assertEquals(List.of(first.id(), second.id()), drained());
        assertEquals(Set.of(first.id(), second.id()), storage.insert(List.of(first, second)));
        assertNothingToClaim();
    }

    @Test
    final void traits_keep_every_rule() {
        List<KeyRule> rules = List.of(
                ORDER,
                ORDER.skippingRetries(),
                KeyRule.limit(Texts.AWKWARD.substring(0, 5), 7),
                KeyRule.rate("r", 3, Duration.ofMillis(1500)));
        for (KeyRule rule : rules) {
            JobId id = keep(aJobWith(rule));
            Lease lease = assertClaims(id);
            assertWritten(Endings.completed(lease));
            assertEquals(rule, lease.job().traits().key());
            assertEquals(rule, Stories.of(storage, id).job().traits().key());
        }
    }
}
