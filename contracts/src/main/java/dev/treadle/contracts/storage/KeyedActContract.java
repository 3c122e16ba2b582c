package dev.treadle.contracts.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.treadle.job.Due;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.KeyRule;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.JobAction;
import dev.treadle.lifecycle.Lease;
import dev.treadle.storage.admin.JobPage;
import dev.treadle.storage.admin.JobQuery;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every storage must do when people act on jobs with a key, and how it lists them. */
public abstract class KeyedActContract extends KeyedStorage {
    private static final KeyRule.Mailbox ORDER = KeyRule.mailbox("order 42");
    private static final KeyRule ONE = KeyRule.limit("printer", 1);

    /** For subclasses. */
    protected KeyedActContract() {}

    @Test
    final void jobs_that_wait_for_their_key_are_listed_as_enqueued_after_those_that_may_run() {
        List<JobId> keyed = kept(ORDER, 4);
        JobId plain = enqueued();

        List<JobId> listed = listed(JobQuery.in(StateName.ENQUEUED), 100);

        assertEquals(List.of(keyed.get(0), plain), listed.subList(0, 2));
        assertEquals(keyed.subList(1, 4).stream().sorted().toList(), listed.subList(2, 5));
        assertEquals(listed, listed(JobQuery.in(StateName.ENQUEUED), 1));
        assertEquals(listed, listed(JobQuery.in(StateName.ENQUEUED).withArguments("["), 2));
        assertEquals(5L, storage.search().counts().get(StateName.ENQUEUED));
    }

    @Test
    final void jobs_with_a_key_that_wait_for_their_time_are_listed_as_scheduled_among_the_others() {
        JobId last = keep(aJobWith(ORDER, new Due.After(Jobs.LONG.plusSeconds(20))));
        JobId middle = keep(jobs.aJobDueIn(Jobs.LONG.plusSeconds(10)));
        JobId first = keep(aJobWith(ONE, new Due.After(Jobs.LONG)));

        assertEquals(List.of(first, middle, last), listed(JobQuery.in(StateName.SCHEDULED), 100));
        assertEquals(List.of(first, middle, last), listed(JobQuery.in(StateName.SCHEDULED), 1));
        assertEquals(List.of(), listed(JobQuery.in(StateName.ENQUEUED), 100));
    }

    @Test
    final void a_job_with_a_key_runs_now_behind_the_others_of_its_line() {
        List<JobId> line = kept(ORDER, 2);
        JobId later = keep(aJobWith(ORDER, new Due.After(Jobs.LONG)));

        assertEquals(List.of(WriteResult.WRITTEN), act(JobAction.RUN_NOW, later));

        assertStates(later, StateName.ENQUEUED);
        assertEquals(List.of(line.get(0), line.get(1), later), drained());
        assertInstanceOf(WriteResult.Stale.class, act(JobAction.RUN_NOW, later).get(0));
    }

    @Test
    final void a_retry_that_gave_up_its_slot_runs_now_with_the_attempts_it_has_had() {
        JobId first = kept(ONE, 1).get(0);
        assertWritten(Endings.threw(assertClaims(first), Jobs.LONG));

        assertEquals(List.of(WriteResult.WRITTEN), act(JobAction.RUN_NOW, first));

        Lease again = assertClaims(first);
        assertEquals(2, again.job().attempt());
        JobId next = kept(ONE, 1).get(0);
        assertNothingToClaim();
        assertWritten(Endings.completed(again));
        assertClaims(next);
    }

    @Test
    final void a_retry_that_kept_its_place_in_a_mailbox_runs_now_before_the_next() {
        List<JobId> line = kept(ORDER, 2);
        assertWritten(Endings.threw(assertClaims(line.get(0)), Jobs.LONG));
        assertNothingToClaim();

        assertEquals(List.of(WriteResult.WRITTEN), act(JobAction.RUN_NOW, line.get(0)));

        Lease again = assertClaims(line.get(0));
        assertEquals(2, again.job().attempt());
        assertWritten(Endings.completed(again));
        assertClaims(line.get(1));
    }

    @Test
    final void a_deleted_job_leaves_its_line_or_lets_the_next_go_on() {
        List<JobId> line = kept(ORDER, 4);
        JobId later = keep(aJobWith(ORDER, new Due.After(Jobs.LONG)));
        assertEquals(
                List.of(WriteResult.WRITTEN, WriteResult.WRITTEN, WriteResult.WRITTEN),
                act(JobAction.DELETE, line.get(2), line.get(0), later));

        assertEquals(List.of(line.get(1), line.get(3)), drained());
        assertEquals(0L, storage.search().counts().get(StateName.ENQUEUED));
        assertEquals(0L, storage.search().counts().get(StateName.SCHEDULED));
        assertEquals(List.of(WriteResult.WRITTEN), act(JobAction.DELETE, line.get(1)), "it has ended");
        List<JobId> next = kept(ORDER, 2);
        assertClaims(next.get(0));
        assertNothingToClaim();
    }

    @Test
    final void jobs_are_found_by_label_in_any_state_newest_first() {
        JobTraits vip = JobTraits.DEFAULT.withLabels("vip", "b");
        JobId failed = keep(jobs.withTraits(vip));
        assertWritten(Endings.failed(claim(NODE, failed)));
        JobId running = keep(jobs.withTraits(vip));
        claim(NODE, running);
        JobId inLine = keep(jobs.withTraits(vip.withKey(ORDER)));
        JobId behind = keep(jobs.withTraits(vip.withKey(ORDER)));
        JobId scheduled = keep(jobs.withTraits(vip));
        assertEquals(List.of(WriteResult.WRITTEN), act(JobAction.CANCEL, scheduled));
        keep(jobs.withTraits(JobTraits.DEFAULT.withLabels("vi", "VIP")));

        JobQuery all = JobQuery.ALL.withLabel("vip");
        assertEquals(List.of(scheduled, behind, inLine, running, failed), listed(all, 100));
        assertEquals(listed(all, 100), listed(all, 1));
        assertEquals(List.of(failed), listed(all.withState(StateName.FAILED), 1));
        assertEquals(List.of(failed), listed(all.withState(StateName.FAILED).withError("b"), 1));
        assertEquals(List.of(), listed(all.withState(StateName.FAILED).withError("no such"), 1));
        assertEquals(List.of(running), listed(all.withState(StateName.PROCESSING), 1));
        assertEquals(List.of(behind, inLine), listed(all.withState(StateName.ENQUEUED), 1));
        assertEquals(List.of(scheduled), listed(all.withState(StateName.CANCELLED), 1));
        assertEquals(List.of(), listed(all.withState(StateName.SCHEDULED), 1));
        assertEquals(List.of(), listed(all.withQueue("mail"), 1));
    }

    /** All that match, page by page. */
    private List<JobId> listed(JobQuery filter, int max) {
        List<JobId> ids = new ArrayList<>();
        String next = null;
        do {
            JobPage page = storage.search().list(filter, next, max);
            page.lines().forEach(line -> ids.add(line.job().id()));
            next = page.next();
        } while (next != null);
        return ids;
    }

    private List<WriteResult> act(JobAction action, JobId... ids) {
        return storage.act(action, ANNA, List.of(ids), action.on("a test", ANNA));
    }
}
