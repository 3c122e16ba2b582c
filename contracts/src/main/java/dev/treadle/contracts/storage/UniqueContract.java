package dev.treadle.contracts.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.Due;
import dev.treadle.job.EnqueueResult;
import dev.treadle.job.EnqueueResult.Answer;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.KeyRule;
import dev.treadle.job.StateName;
import dev.treadle.job.Unique.OnConflict;
import dev.treadle.job.Unique.Span;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.UniqueTerms.Asked;
import dev.treadle.storage.NewJob;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What every storage must do with unique jobs: at most one of a name. */
public abstract class UniqueContract extends KeyedStorage {
    /** For subclasses. */
    protected UniqueContract() {}

    private Asked asked(Span span, OnConflict onConflict) {
        return new Asked("report", span, null, onConflict);
    }

    private Asked during(Duration period, OnConflict onConflict) {
        return new Asked("report", Span.PERIOD, period, onConflict);
    }

    private JobId first(Asked asked) {
        NewJob job = jobs.anEnqueuedJob();
        assertEquals(new EnqueueResult(Answer.ENQUEUED, job.id()), storage.insertUnique(job, asked));
        return job.id();
    }

    private void assertAnswer(Answer kind, JobId holder, NewJob job, Asked asked) {
        assertEquals(new EnqueueResult(kind, holder), storage.insertUnique(job, asked));
        if (kind != Answer.ENQUEUED) {
            assertEquals(Optional.empty(), storage.queries().find(job.id()));
        }
    }

    @Test
    final void a_second_job_of_a_name_is_not_kept_and_the_answer_says_which_holds_it() {
        JobId holder = first(asked(Span.WAITING, OnConflict.KEEP));

        assertAnswer(Answer.KEPT, holder, jobs.anEnqueuedJob(), asked(Span.WAITING, OnConflict.KEEP));
        assertAnswer(Answer.REJECTED, holder, jobs.anEnqueuedJob(), asked(Span.WAITING, OnConflict.REJECT));
        NewJob other = jobs.anEnqueuedJob();
        assertAnswer(Answer.ENQUEUED, other.id(), other, new Asked("another", Span.WAITING, null, OnConflict.KEEP));
        assertEquals(List.of(holder, other.id()), idsOf(storage.claim(NODE, FULL)));
    }

    @Test
    final void the_same_job_inserted_again_is_kept_once_and_stands_in_no_way() {
        NewJob job = jobs.anEnqueuedJob();
        Asked asked = asked(Span.WAITING, OnConflict.REJECT);
        assertAnswer(Answer.ENQUEUED, job.id(), job, asked);
        assertAnswer(Answer.ENQUEUED, job.id(), job, asked);
        assertWritten(Endings.completed(claim(NODE, job.id())));
        assertAnswer(Answer.ENQUEUED, job.id(), job, asked);
        assertNothingToClaim();
    }

    @Test
    final void while_waiting_means_until_it_is_leased_and_while_it_awaits_a_retry_or_is_parked() {
        Asked asked = asked(Span.WAITING, OnConflict.KEEP);
        JobId holder = first(asked);
        Lease lease = claim(NODE, holder);
        assertWritten(Endings.threw(lease, Jobs.LONG));
        assertAnswer(Answer.KEPT, holder, jobs.anEnqueuedJob(), asked);
        storage.cancel(holder, ANNA);

        JobId parked = first(asked);
        assertWritten(Endings.parked(claim(NODE, parked)));
        assertAnswer(Answer.KEPT, parked, jobs.anEnqueuedJob(), asked);
        storage.unpark(NODE, Jobs.TARGET, FULL);
        claim(NODE, parked);

        JobId next = first(asked);
        assertAnswer(Answer.KEPT, next, jobs.anEnqueuedJob(), asked);
    }

    @Test
    final void while_running_means_until_it_has_ended() {
        Asked asked = asked(Span.WAITING_OR_RUNNING, OnConflict.KEEP);
        for (StateName end : List.of(StateName.SUCCEEDED, StateName.FAILED, StateName.CANCELLED)) {
            JobId holder = first(asked);
            assertAnswer(Answer.KEPT, holder, jobs.anEnqueuedJob(), asked);
            Lease lease = claim(NODE, holder);
            assertAnswer(Answer.KEPT, holder, jobs.anEnqueuedJob(), asked);
            if (end == StateName.CANCELLED) {
                storage.cancel(holder, ANNA);
            } else {
                assertWritten(end == StateName.FAILED ? Endings.failed(lease) : Endings.completed(lease));
            }
        }
    }

    @Test
    final void for_a_period_means_from_when_it_was_enqueued_wherever_it_stands() {
        JobId longer = keepAs(new Asked("long", Span.PERIOD, Jobs.LONG, OnConflict.KEEP));
        assertWritten(Endings.completed(claim(NODE, longer)));
        assertAnswer(Answer.KEPT, longer, jobs.anEnqueuedJob(), new Asked("long", Span.PERIOD, HOUR, OnConflict.KEEP));
        JobId holder = first(during(Duration.ofMillis(50), OnConflict.KEEP));
        assertWritten(Endings.completed(claim(NODE, holder)));
        Patience.pass(Duration.ofMillis(60));

        JobId next = first(during(Jobs.LONG, OnConflict.KEEP));
        assertAnswer(Answer.REJECTED, next, jobs.anEnqueuedJob(), asked(Span.WAITING, OnConflict.REJECT));
    }

    @Test
    final void replacing_gives_the_waiting_job_the_call_the_traits_and_the_time_of_the_last() {
        Asked debounce = asked(Span.WAITING, OnConflict.REPLACE);
        JobId holder = first(debounce);
        NewJob later = later("[43]", Jobs.LONG);
        assertAnswer(Answer.REPLACED, holder, later, debounce);
        assertStates(holder, StateName.SCHEDULED);
        assertEquals(later.invocation(), Stories.of(storage, holder).job().invocation());
        assertNothingToClaim();

        NewJob now = jobs.withTraits(JobTraits.DEFAULT.withPriority(3).withLabels("last"));
        assertAnswer(Answer.REPLACED, holder, now, debounce);
        assertEquals(List.of(holder), storage.queries().labelled("last", null, 10));

        Lease lease = assertClaims(holder);
        assertEquals(now.traits(), lease.job().traits());
        assertEquals(now.invocation(), lease.job().invocation());
        assertEquals(1, lease.job().attempt());
        assertWritten(Endings.completed(lease));
        assertNothingToClaim();
        assertEquals(0, storage.promote(FULL).moved());
    }

    private NewJob later(String arguments, Duration delay) {
        NewJob job = jobs.withArguments(arguments);
        return new NewJob(job.id(), job.invocation(), new Due.After(delay), job.traits());
    }

    @Test
    final void a_running_job_is_not_replaced_and_the_answer_says_so() {
        Asked asked = asked(Span.WAITING_OR_RUNNING, OnConflict.REPLACE);
        JobId holder = first(asked);
        Lease lease = claim(NODE, holder);

        assertAnswer(Answer.KEPT, holder, later("[43]", Duration.ZERO), asked);

        assertEquals(lease.job().invocation(), Stories.of(storage, holder).job().invocation());
        assertWritten(Endings.completed(lease));
    }

    @Test
    final void a_job_that_awaits_a_retry_is_replaced_with_all_its_attempts_before_it() {
        Asked asked = asked(Span.WAITING, OnConflict.REPLACE);
        JobId holder = first(asked);
        assertWritten(Endings.threw(claim(NODE, holder), Jobs.LONG));

        assertAnswer(Answer.REPLACED, holder, jobs.withArguments("[44]"), asked);

        Lease lease = assertClaims(holder);
        assertEquals(1, lease.job().attempt());
        assertEquals("[44]", lease.job().invocation().arguments());
    }

    @Test
    final void a_replaced_job_lets_go_of_its_key_and_takes_the_other() {
        Asked asked = asked(Span.WAITING, OnConflict.REPLACE);
        KeyRule one = KeyRule.mailbox("one");
        KeyRule two = KeyRule.mailbox("two");
        NewJob first = aJobWith(one);
        storage.insertUnique(first, asked);
        JobId waiting = keep(aJobWith(one));

        assertAnswer(Answer.REPLACED, first.id(), aJobWith(two), asked);
        assertEquals(
                List.of(first.id(), waiting),
                idsOf(storage.claim(NODE, FULL)).stream().sorted().toList());
        assertNothingToClaim();
        JobId behind = keep(aJobWith(two));
        assertNothingToClaim();
        storage.record(storage.leasesOf(NODE).stream().map(Endings::completed).toList());
        assertClaims(behind);
    }

    @Test
    final void names_without_a_holder_are_forgotten_and_held_names_are_kept() {
        JobId ended = first(asked(Span.WAITING_OR_RUNNING, OnConflict.KEEP));
        assertWritten(Endings.completed(claim(NODE, ended)));
        Asked held = new Asked("held", Span.WAITING_OR_RUNNING, null, OnConflict.REJECT);
        Asked period = new Asked("period", Span.PERIOD, Jobs.LONG, OnConflict.REJECT);
        JobId holder = keepAs(held);
        JobId other = keepAs(period);
        assertWritten(Endings.completed(claim(NODE, holder)));
        storage.runAgain(holder, ANNA);
        storage.cancel(other, ANNA);

        assertNull(walked());

        assertAnswer(Answer.REJECTED, holder, jobs.anEnqueuedJob(), held);
        assertAnswer(Answer.REJECTED, other, jobs.anEnqueuedJob(), period);
        first(asked(Span.WAITING, OnConflict.KEEP));
    }

    private JobId keepAs(Asked asked) {
        NewJob job = jobs.anEnqueuedJob();
        assertAnswer(Answer.ENQUEUED, job.id(), job, asked);
        return job.id();
    }

    private @Nullable String walked() {
        String after = "";
        for (int turns = 0; turns < 10; turns++) {
            String last = storage.forgetUnneeded(after);
            if (last == null) {
                return null;
            }
            assertTrue(last.compareTo(after) > 0);
            after = last;
        }
        return after;
    }
}
