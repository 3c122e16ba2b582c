package dev.treadle.contracts.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.Due;
import dev.treadle.job.JobId;
import dev.treadle.job.JobResult;
import dev.treadle.job.JobTraits;
import dev.treadle.job.NodeId;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.RunNotes;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.AttemptEnd;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RetentionSettings;
import dev.treadle.lifecycle.RetentionSettings.Ages;
import dev.treadle.lifecycle.RunId;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.NotesUpdate;
import dev.treadle.storage.RunStorage.NewStep;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.StorageProvider.RetentionStep;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What every storage must do with jobs that ended long ago. Extend it, hand over an empty storage, and it runs. */
public abstract class RetentionContract extends StorageContract {
    private static final RetentionSettings AT_ONCE = keeping(Duration.ZERO, Duration.ZERO, Duration.ZERO);
    private static final RetentionSettings LONG = keeping(Duration.ofDays(1), Duration.ofDays(1), Duration.ofDays(1));
    private static final OperatorNote ANNA = new OperatorNote("anna", null);

    /** For subclasses. */
    protected RetentionContract() {}

    @Test
    final void only_jobs_that_have_ended_are_deleted_and_of_them_only_the_old() {
        Map<StateName, JobId> ids = new EnumMap<>(StateName.class);
        for (StateName state : allStates()) {
            ids.put(state, aJobThatIs(state));
        }
        Patience.moment();

        assertEquals(0, deleteAll(LONG));
        assertEquals(0, deleteAll(RetentionSettings.FOR_EVER));
        assertEquals(3, deleteAll(AT_ONCE));

        ids.forEach((state, id) -> {
            assertEquals(
                    state.isFinal() ? null : state,
                    storage.queries().states(List.of(id)).get(id));
            assertEquals(state.isFinal() ? 0L : 1L, storage.search().counts().get(state), () -> "count of " + state);
        });
    }

    @Test
    final void each_end_and_each_type_has_its_own_age() {
        RetentionSettings settings = keeping(Duration.ZERO, null, Duration.ofDays(1))
                .withType(Kept.class, Ages.FOR_EVER.withFailed(Duration.ZERO));
        JobId succeeded = aJobThatIs(StateName.SUCCEEDED);
        JobId failed = aJobThatIs(StateName.FAILED);
        JobId cancelled = aJobThatIs(StateName.CANCELLED);
        Lease keptLease = claimed(jobs.calling(Kept.class.getName(), null, "{}"));
        assertWritten(Endings.completed(keptLease));
        Lease deletedLease = claimed(jobs.calling(Kept.class.getName(), null, "{}"));
        assertWritten(Endings.failed(deletedLease));
        Patience.moment();

        assertEquals(2, deleteAll(settings));

        assertFalse(isThere(succeeded));
        assertFalse(isThere(deletedLease.job().id()));
        assertTrue(
                isThere(failed) && isThere(cancelled) && isThere(keptLease.job().id()));
    }

    @Test
    final void all_that_belongs_to_a_job_goes_with_it_and_its_id_may_be_used_again() {
        NewJob job = jobs.withTraits(JobTraits.DEFAULT.withLabels("red", "green"));
        Lease lease = claimed(job);
        storage.runs()
                .tell(List.of(new NotesUpdate(
                        RunId.of(lease),
                        new RunNotes(
                                Instant.EPOCH,
                                1L,
                                2L,
                                Map.of(),
                                List.of(new RunNotes.LogLine(0, Instant.EPOCH, "line"))))));
        storage.runs().recordStep(RunId.of(lease), new NewStep("pay", Endings.RAN, "1", Set.of()));
        assertEquals(1, storage.runs().steps(job.id(), 0, 10).size());
        assertWritten(AttemptEnd.succeeded(lease, Endings.RAN, JobResult.of("42")));
        Patience.moment();
        assertEquals(List.of(job.id()), storage.queries().labelled("red", null, 10));

        assertEquals(1, deleteAll(AT_ONCE));

        assertEquals(Optional.empty(), storage.queries().find(job.id()));
        assertEquals(List.of(), storage.queries().labelled("red", null, 10));
        assertEquals(Optional.empty(), storage.runs().notes(job.id()));
        assertEquals(Map.of(), storage.runs().endings(List.of(job.id())));
        assertEquals(List.of(), storage.runs().steps(job.id(), 0, 10));
        assertEquals(WriteResult.MISSING, storage.runAgain(job.id(), ANNA));
        keep(job);
        assertEquals(List.of(), Stories.of(storage, job.id()).history());
    }

    @Test
    final void jobs_whose_ids_tell_no_time_are_found_as_well() {
        List<JobId> ids = new ArrayList<>();
        for (int n = 0; n < 8; n++) {
            JobId derived = JobId.of(new UUID(0x2000_0000_0000_8000L * n + n, 0x8000_0000_0000_0000L + n));
            keep(new NewJob(derived, jobs.anEnqueuedJob().invocation(), Due.NOW, JobTraits.DEFAULT));
            assertWritten(Endings.completed(claim(NODE, derived)));
            ids.add(derived);
        }
        Patience.moment();

        assertEquals(8, deleteAll(AT_ONCE));
        assertFalse(ids.stream().anyMatch(this::isThere));
    }

    @Test
    final void a_walk_in_small_steps_gets_round_and_begins_anew() {
        claimed(25).forEach(lease -> assertWritten(Endings.completed(lease)));
        JobId waits = enqueued();
        Patience.moment();

        int steps = 0;
        int deleted = 0;
        for (RetentionStep step = step(AT_ONCE, 4); ; step = step(AT_ONCE, 4)) {
            deleted += step.deleted();
            assertTrue(step.deleted() <= 4 && ++steps < 100);
            if (step.atEnd()) {
                break;
            }
        }
        assertEquals(25, deleted);

        assertWritten(Endings.completed(claim(NODE, waits)));
        Patience.moment();
        assertEquals(1, deleteAll(AT_ONCE));
    }

    @Test
    final void a_job_run_again_while_it_is_deleted_is_either_gone_or_runs() {
        for (int round = 0; round < 30; round++) {
            JobId id = aJobThatIs(StateName.SUCCEEDED);
            Patience.moment();

            var answers = Together.two(() -> deleteAll(AT_ONCE), () -> storage.runAgain(id, ANNA));

            if (answers.other().equals(WriteResult.WRITTEN)) {
                assertEquals(0, answers.one());
                assertEquals(StateName.ENQUEUED, stateOf(id));
                assertInOnePlace(id);
                Patience.moment();
                deleteAll(AT_ONCE);
            } else {
                assertEquals(WriteResult.MISSING, answers.other());
                assertFalse(isThere(id));
                assertEquals(List.of(), idsOf(storage.claim(AUDITOR, FULL)));
            }
        }
    }

    @Test
    final void two_nodes_that_walk_at_once_delete_each_job_once_and_no_other() {
        claimed(200).forEach(lease -> assertWritten(Endings.completed(lease)));
        List<JobId> waiting = new ArrayList<>();
        for (int n = 0; n < 20; n++) {
            waiting.add(enqueued());
        }
        Patience.moment();

        var answers = Together.two(() -> deleteAll(NODE), () -> deleteAll(OTHER));

        assertEquals(200, answers.one() + answers.other());
        assertTrue(waiting.stream().allMatch(this::isThere));
        assertDueOnce(waiting);
    }

    @Test
    final void jobs_are_found_by_their_labels_newest_first_and_page_by_page() {
        List<JobId> red = new ArrayList<>();
        for (int n = 0; n < 5; n++) {
            red.add(0, keep(jobs.withTraits(JobTraits.DEFAULT.withLabels("red", Texts.AWKWARD.substring(0, 90)))));
        }
        JobId green = keep(jobs.withTraits(JobTraits.DEFAULT.withLabels("green")));
        enqueued();

        assertEquals(red, storage.queries().labelled("red", null, 10));
        assertEquals(red, storage.queries().labelled(Texts.AWKWARD.substring(0, 90), null, 10));
        assertEquals(red.subList(0, 2), storage.queries().labelled("red", null, 2));
        assertEquals(red.subList(2, 4), storage.queries().labelled("red", red.get(1), 2));
        assertEquals(List.of(green), storage.queries().labelled("green", null, 10));
        assertEquals(List.of(), storage.queries().labelled("blue", null, 10));
    }

    @Test
    final void a_job_born_with_a_lease_and_one_inserted_twice_are_found_by_their_labels_once() {
        NewJob born = jobs.withTraits(JobTraits.DEFAULT.withLabels("red"));
        storage.insertLeased(NODE, List.of(born));
        storage.insertLeased(NODE, List.of(born));
        NewJob usual = jobs.withTraits(JobTraits.DEFAULT.withLabels("red"));
        storage.insert(List.of(usual, jobs.anEnqueuedJob()));
        storage.insert(List.of(usual));

        assertEquals(List.of(usual.id(), born.id()), storage.queries().labelled("red", null, 10));
    }

    private boolean isThere(JobId id) {
        return storage.queries().find(id).isPresent();
    }

    private int deleteAll(RetentionSettings settings) {
        int deleted = 0;
        for (int steps = 0; steps < 1_000; steps++) {
            RetentionStep step = step(settings, StorageProvider.BATCH_MAX);
            deleted += step.deleted();
            if (step.atEnd()) {
                return deleted;
            }
        }
        throw new AssertionError("the walk does not end");
    }

    /** As two nodes may, when one of them took its turn for over. */
    private int deleteAll(NodeId node) {
        int deleted = 0;
        for (int steps = 0; steps < 100; steps++) {
            deleted += storage.deleteEnded(node, AT_ONCE, 50).deleted();
        }
        return deleted;
    }

    private RetentionStep step(RetentionSettings settings, int max) {
        return storage.deleteEnded(NODE, settings, max);
    }

    private static RetentionSettings keeping(
            @Nullable Duration succeeded, @Nullable Duration failed, @Nullable Duration cancelled) {
        return RetentionSettings.DEFAULT.withUsual(
                Ages.FOR_EVER.withSucceeded(succeeded).withFailed(failed).withCancelled(cancelled));
    }

    /** A type with ages of its own. */
    record Kept() {}
}
