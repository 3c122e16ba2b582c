package dev.treadle.contracts.storage;

import static dev.treadle.job.HistoryEntry.Event.CANCELLED;
import static dev.treadle.job.HistoryEntry.Event.COMPLETED;
import static dev.treadle.job.HistoryEntry.Event.RUN_AGAIN;
import static dev.treadle.job.HistoryEntry.Event.THREW;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.treadle.job.HistoryEntry;
import dev.treadle.job.JobId;
import dev.treadle.job.JobState;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Trigger;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What every storage must do when people move jobs. Extend it, hand over an empty storage, and it runs. */
public abstract class OperatorContract extends StorageContract {
    private static final OperatorNote ANNA = new OperatorNote("anna", "double order");
    private static final OperatorNote BOB = new OperatorNote("bob", null);

    /** For subclasses. */
    protected OperatorContract() {}

    @Test
    final void every_job_that_has_not_ended_can_be_cancelled_and_no_other() {
        for (StateName state : StateName.values()) {
            JobId id = aJobThatIs(state);
            boolean legal = Trigger.CANCEL.isAllowedIn(state);

            WriteResult answer = storage.cancel(id, ANNA);

            assertEquals(legal ? WriteResult.WRITTEN : new WriteResult.Stale(state), answer, () -> "from " + state);
            assertEquals(legal ? StateName.CANCELLED : state, stateOf(id));
            assertInOnePlace(id);
        }
    }

    @Test
    final void every_job_that_has_ended_or_is_parked_can_be_run_again_and_no_other() {
        for (StateName state : StateName.values()) {
            JobId id = aJobThatIs(state);
            boolean legal = state.isFinal() || state == StateName.PARKED;

            WriteResult answer = storage.runAgain(id, ANNA);

            assertEquals(legal ? WriteResult.WRITTEN : new WriteResult.Stale(state), answer, () -> "from " + state);
            assertEquals(legal ? StateName.ENQUEUED : state, stateOf(id));
            assertInOnePlace(id);
        }
    }

    @Test
    final void a_job_that_is_not_there_is_missing() {
        assertEquals(WriteResult.MISSING, storage.cancel(jobs.nextId(), ANNA));
        assertEquals(WriteResult.MISSING, storage.runAgain(jobs.nextId(), ANNA));
    }

    @Test
    final void a_cancelled_job_tells_who_did_it_and_why() {
        OperatorNote move = new OperatorNote(Texts.AWKWARD, Texts.AWKWARD);
        JobId id = enqueued();

        assertEquals(WriteResult.WRITTEN, storage.cancel(id, move));

        JobState.Cancelled state = stateOf(id, JobState.Cancelled.class);
        HistoryEntry row = Stories.of(storage, id).history().get(0);
        assertEquals(new JobState.Cancelled(row.at(), move.by(), move.why()), state);
        assertEquals(
                new HistoryEntry(CANCELLED, StateName.CANCELLED, 0, null, move.by(), null, row.at(), null, row.why()),
                row);
        assertEquals(move.why(), row.why() == null ? null : row.why().message());
    }

    @Test
    final void no_reason_need_be_given() {
        JobId id = enqueued();

        storage.cancel(id, BOB);
        assertNull(stateOf(id, JobState.Cancelled.class).why());
        storage.runAgain(id, BOB);

        for (HistoryEntry row : Stories.of(storage, id).history()) {
            assertEquals("bob", row.by());
            assertNull(row.why());
        }
        Stories.assertEvents(storage, id, CANCELLED, RUN_AGAIN);
    }

    @Test
    final void a_job_that_is_run_again_has_all_its_attempts_before_it_and_keeps_its_story_and_priority() {
        JobId id = keep(jobs.withPriority(5));
        assertWritten(Endings.threw(claim(NODE, id), Duration.ZERO));
        assertWritten(Endings.failed(claim(NODE, id)));

        assertEquals(WriteResult.WRITTEN, storage.runAgain(id, ANNA));

        assertEquals(0, Stories.of(storage, id).job().attempt());
        JobId usual = enqueued();
        List<Lease> taken = storage.claim(NODE, FULL);
        assertEquals(List.of(usual, id), idsOf(taken));
        assertEquals(1, taken.get(1).job().attempt());
        assertWritten(Endings.completed(taken.get(1)));
        Stories.assertEvents(storage, id, THREW, THREW, RUN_AGAIN, COMPLETED);
        assertEquals(
                List.of(1, 2, 2, 1),
                Stories.of(storage, id).history().stream()
                        .map(HistoryEntry::attempt)
                        .toList());
    }

    @Test
    final void a_cancelled_job_does_not_come_back_by_itself() {
        // parked first: coming there takes a claim, and nothing else may be due until then
        JobId parked = aJobThatIs(StateName.PARKED);
        JobId scheduled = keep(jobs.aJobDueIn(Duration.ofMillis(1)));
        Patience.moment();

        storage.cancel(scheduled, ANNA);
        storage.cancel(parked, ANNA);

        assertEquals(0, storage.promote(FULL).moved());
        assertEquals(Set.of(), storage.parkedTargets(NODE));
        assertEquals(0, storage.unpark(NODE, Jobs.TARGET, FULL));
        assertEquals(List.of(), storage.claim(NODE, FULL));
    }
}
