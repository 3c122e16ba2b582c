package dev.treadle.contracts.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.JobId;
import dev.treadle.job.OperatorAct;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.JobAction;
import dev.treadle.lifecycle.Lease;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.admin.Operators.Done;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What every storage must do for operators and write down as theirs. Extend it, hand over an empty storage, and it runs. */
public abstract class AuditContract extends StorageContract {
    /** For subclasses. */
    protected AuditContract() {}

    @Test
    final void jobs_that_ended_run_again_and_others_are_left_as_they_are() {
        JobId failed = aJobThatIs(StateName.FAILED);
        JobId running = aJobThatIs(StateName.PROCESSING);
        JobId unknown = jobs.nextId();

        List<WriteResult> results = act(JobAction.RUN_AGAIN, failed, running, unknown);

        assertEquals(WriteResult.WRITTEN, results.get(0));
        assertEquals(
                StateName.PROCESSING,
                assertInstanceOf(WriteResult.Stale.class, results.get(1)).found());
        assertInstanceOf(WriteResult.Missing.class, results.get(2));
        assertEquals(StateName.ENQUEUED, stateOf(failed));
        Done done = storage.operators().audit(null, 10).get(0);
        assertEquals("RUN_AGAIN", done.action());
        assertEquals(1, done.jobs());
        assertEquals("ada", done.by());
        assertEquals("because", done.why());
        assertEquals("a test", done.target());
    }

    @Test
    final void a_scheduled_job_runs_now_with_the_attempts_it_has_had() {
        Lease lease = claimed();
        assertWritten(Endings.threw(lease, HOUR));

        assertEquals(
                List.of(WriteResult.WRITTEN), act(JobAction.RUN_NOW, lease.job().id()));

        assertEquals(1L, storage.search().counts().get(StateName.ENQUEUED));
        assertEquals(0L, storage.search().counts().get(StateName.SCHEDULED));
        assertEquals(2, claim(OTHER, lease.job().id()).job().attempt());
        assertInstanceOf(
                WriteResult.Stale.class,
                act(JobAction.RUN_NOW, lease.job().id()).get(0));
    }

    @Test
    final void a_deleted_job_is_gone_with_its_history_from_every_state_but_running() {
        for (StateName state : StateName.values()) {
            if (state == StateName.PROCESSING) {
                continue;
            }
            JobId id = aJobThatIs(state);
            assertEquals(List.of(WriteResult.WRITTEN), act(JobAction.DELETE, id), state::name);
            assertEquals(Optional.empty(), storage.queries().find(id));
            assertInstanceOf(
                    WriteResult.Missing.class, act(JobAction.DELETE, id).get(0));
            assertEquals(0L, storage.search().counts().get(state), state::name);
        }
        JobId running = aJobThatIs(StateName.PROCESSING);
        assertEquals(
                StateName.PROCESSING,
                assertInstanceOf(
                                WriteResult.Stale.class,
                                act(JobAction.DELETE, running).get(0))
                        .found());
        assertEquals(0, storage.claim(OTHER, FULL).size());
    }

    @Test
    final void a_running_job_is_cancelled_and_its_result_refused() {
        Lease lease = claimed();

        assertEquals(
                List.of(WriteResult.WRITTEN), act(JobAction.CANCEL, lease.job().id()));

        assertStale(Endings.completed(lease));
        assertEquals(StateName.CANCELLED, stateOf(lease.job().id()));
    }

    @Test
    final void what_was_done_is_told_latest_first_page_by_page() {
        for (int i = 0; i < 7; i++) {
            storage.operators().note(new OperatorAct("PAUSE", new OperatorNote("ada", null), "queue " + i), i);
        }

        List<String> targets = new ArrayList<>();
        Long before = null;
        List<Done> page;
        do {
            page = storage.operators().audit(before, 3);
            page.forEach(done -> targets.add(done.target()));
            before = page.isEmpty() ? null : page.get(page.size() - 1).number();
        } while (page.size() == 3);

        assertEquals(List.of("queue 6", "queue 5", "queue 4", "queue 3", "queue 2", "queue 1", "queue 0"), targets);
        assertTrue(storage.operators().audit(0L, 3).isEmpty());
    }

    @Test
    final void what_is_done_to_a_queue_is_written_down_with_it_and_what_is_not_done_is_not() {
        OperatorAct pause = new OperatorAct("PAUSE", new OperatorNote("ada", "the relay is down"), "queue mail");
        OperatorAct resume = new OperatorAct("RESUME", new OperatorNote("ada", null), "queue mail");
        storage.queues().pause("mail", pause.move(), null, pause);
        assertTrue(storage.queues().resume("mail", resume.move(), resume));
        assertFalse(storage.queues().resume("mail", resume.move(), resume));
        storage.queues().pause("mail", pause.move(), null);

        assertEquals(
                List.of("RESUME", "PAUSE"),
                storage.operators().audit(null, 10).stream().map(Done::action).toList());
    }

    @Test
    final void a_job_that_an_operator_runs_now_is_audited_with_it() {
        NewJob job = jobs.anEnqueuedJob();

        storage.insert(List.of(job), new OperatorAct("TRIGGER", new OperatorNote("ada", null), "recurring nightly"));

        assertEquals(StateName.ENQUEUED, stateOf(job.id()));
        assertEquals(1L, storage.search().counts().get(StateName.ENQUEUED));
        Done done = storage.operators().audit(null, 10).get(0);
        assertEquals("recurring nightly", done.target());
        assertEquals(1, done.jobs());
        assertEquals(job.id(), claim(OTHER, job.id()).job().id());
    }

    private List<WriteResult> act(JobAction action, JobId... ids) {
        OperatorNote note = new OperatorNote("ada", "because");
        return storage.act(action, note, List.of(ids), action.on("a test", note));
    }
}
