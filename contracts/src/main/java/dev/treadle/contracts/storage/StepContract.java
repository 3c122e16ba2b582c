package dev.treadle.contracts.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.treadle.job.JobId;
import dev.treadle.job.JobStep;
import dev.treadle.job.JobTraits;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.StateName;
import dev.treadle.job.Unique.OnConflict;
import dev.treadle.job.Unique.Span;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.JobAction;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.UniqueTerms.Asked;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.RunStorage.NewStep;
import dev.treadle.storage.RunStorage.StepAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What every storage must do with the steps of jobs. Extend it, hand over an empty storage, and it runs. */
public abstract class StepContract extends StorageContract {
    private static final OperatorNote ANNA = new OperatorNote("anna", null);
    private static final Duration TOOK = Duration.ofNanos(1_234_567_000);
    private static final int RACES = 20;

    /** For subclasses. */
    protected StepContract() {}

    @Test
    final void a_recorded_step_is_given_back_to_the_letter() {
        Lease lease = claimed();
        List<String> names = new ArrayList<>();
        for (String text : Texts.ARGUMENTS) {
            String name = "step-" + names.size() + " / ü 🙂 'quoted'";
            names.add(name);
            assertRecorded(lease, new NewStep(name, TOOK, text, Set.of("account", "a\"b")));
        }
        List<JobStep> found = steps(lease.job().id());

        assertEquals(names, found.stream().map(JobStep::name).toList());
        assertEquals(Texts.ARGUMENTS, found.stream().map(JobStep::result).toList());
        for (JobStep step : found) {
            assertEquals(TOOK, step.took());
            assertEquals(1, step.attempt());
            assertEquals(Set.of("account", "a\"b"), step.secrets());
            assertFalse(step.at().isBefore(lease.job().createdAt()));
        }
    }

    @Test
    final void nothing_is_a_result_too() {
        Lease lease = claimed();
        assertRecorded(lease, step("mail", null));

        JobStep found = steps(lease.job().id()).get(0);

        assertEquals(null, found.result());
        assertEquals(Set.of(), found.secrets());
    }

    @Test
    final void a_job_without_steps_has_none() {
        assertEquals(List.of(), steps(claimed().job().id()));
        assertEquals(List.of(), steps(jobs.nextId()));
    }

    @Test
    final void the_first_record_of_a_name_stays() {
        Lease lease = claimed();
        assertRecorded(lease, step("pay", "1"));

        StepAnswer.Known known = assertInstanceOf(StepAnswer.Known.class, record(lease, step("pay", "2")));

        assertEquals("1", known.step().result());
        assertEquals(List.of("pay=1"), told(lease.job().id()));
    }

    @Test
    final void the_next_attempt_finds_the_steps_of_all_before_it() {
        Lease lease = claimed();
        JobId id = lease.job().id();
        assertRecorded(lease, step("a", "1"));
        assertWritten(Endings.threw(lease, Duration.ZERO));
        Lease again = claim(OTHER, id);
        assertRecorded(again, step("b", "2"));

        assertInstanceOf(StepAnswer.Known.class, record(again, step("a", "3")));
        assertEquals(List.of("a=1", "b=2"), told(id));
        assertEquals(List.of(1, 2), steps(id).stream().map(JobStep::attempt).toList());
    }

    @Test
    final void a_run_that_lost_its_lease_records_nothing() {
        Lease lease = claimed();
        JobId id = lease.job().id();
        assertWritten(Endings.rescued(lease, Duration.ZERO));
        assertInstanceOf(StepAnswer.LeaseLost.class, record(lease, step("a", "1")));
        Lease again = claim(OTHER, id);

        assertInstanceOf(StepAnswer.LeaseLost.class, record(lease, step("a", "1")));
        assertRecorded(again, step("a", "2"));
        assertInstanceOf(StepAnswer.LeaseLost.class, record(lease, step("a", "1")), "also where the name is recorded");
        assertEquals(List.of("a=2"), told(id));
    }

    @Test
    final void a_job_that_has_ended_records_nothing() {
        Lease done = claimed();
        assertWritten(Endings.completed(done));
        Lease cancelled = claimed();
        assertEquals(WriteResult.WRITTEN, storage.cancel(cancelled.job().id(), ANNA));

        for (Lease lease : List.of(done, cancelled)) {
            assertInstanceOf(StepAnswer.LeaseLost.class, record(lease, step("a", "1")));
            assertEquals(List.of(), steps(lease.job().id()));
        }
    }

    @Test
    final void steps_are_given_in_pages() {
        Lease lease = claimed();
        for (int i = 0; i < 25; i++) {
            assertRecorded(lease, step("page-" + i, String.valueOf(i)));
        }
        JobId id = lease.job().id();

        List<JobStep> first = storage.runs().steps(id, 0, 10);
        List<JobStep> last = storage.runs().steps(id, 20, 10);

        assertEquals(10, first.size());
        assertEquals("page-0", first.get(0).name());
        assertEquals(
                List.of("page-20", "page-21", "page-22", "page-23", "page-24"),
                last.stream().map(JobStep::name).toList());
    }

    @Test
    final void run_again_keeps_the_steps_and_run_from_the_start_forgets_them() {
        Lease lease = claimed();
        JobId id = lease.job().id();
        assertRecorded(lease, step("a", "1"));
        assertWritten(Endings.failed(lease));
        assertEquals(WriteResult.WRITTEN, storage.runAgain(id, ANNA));
        assertEquals(List.of("a=1"), told(id), "kept");
        Lease again = claim(NODE, id);
        assertRecorded(again, step("b", "2"));
        assertWritten(Endings.completed(again));

        assertEquals(WriteResult.WRITTEN, runFromStart(id));

        assertEquals(List.of(), steps(id));
        assertEquals(StateName.ENQUEUED, Stories.of(storage, id).job().state().name());
        assertRecorded(claim(NODE, id), step("a", "3"));
    }

    @Test
    final void a_job_that_cannot_be_run_from_the_start_keeps_its_steps() {
        Lease lease = claimed();
        assertRecorded(lease, step("a", "1"));

        assertEquals(
                new WriteResult.Stale(StateName.PROCESSING),
                runFromStart(lease.job().id()));

        assertEquals(List.of("a=1"), told(lease.job().id()));
    }

    @Test
    final void a_unique_job_that_is_replaced_forgets_its_steps() {
        Asked asked = new Asked("report", Span.WAITING, null, OnConflict.REPLACE);
        NewJob first = jobs.anEnqueuedJob();
        storage.insertUnique(first, asked);
        Lease lease = claim(NODE, first.id());
        assertRecorded(lease, step("a", "1"));
        assertWritten(Endings.threw(lease, Jobs.LONG));

        storage.insertUnique(jobs.withTraits(JobTraits.DEFAULT.withPriority(3)), asked);

        assertEquals(3, Stories.of(storage, first.id()).job().priority(), "it was replaced");
        assertEquals(List.of(), steps(first.id()));
    }

    @Test
    final void the_next_holder_of_the_lease_finds_the_step_or_the_step_is_refused() {
        for (int race = 0; race < RACES; race++) {
            Lease lease = claimed();
            JobId id = lease.job().id();

            var answers = Together.two(() -> record(lease, step("a", "1")), () -> {
                storage.cancel(id, ANNA);
                return steps(id);
            });

            boolean recorded = answers.one() instanceof StepAnswer.Recorded;
            assertEquals(recorded ? 1 : 0, answers.other().size(), "what is there once the lease was taken");
            assertEquals(recorded ? 1 : 0, steps(id).size());
        }
    }

    private List<String> told(JobId id) {
        return steps(id).stream().map(step -> step.name() + "=" + step.result()).toList();
    }

    private List<JobStep> steps(JobId id) {
        return storage.runs().steps(id, 0, JobStep.STEPS_MAX);
    }

    private void assertRecorded(Lease lease, NewStep step) {
        assertEquals(new StepAnswer.Recorded(), record(lease, step));
    }

    private StepAnswer record(Lease lease, NewStep step) {
        return storage.runs().recordStep(RunId.of(lease), step);
    }

    private static NewStep step(String name, @Nullable String result) {
        return new NewStep(name, TOOK, result, Set.of());
    }

    private WriteResult runFromStart(JobId id) {
        return storage.act(JobAction.RUN_FROM_START, ANNA, List.of(id), null).get(0);
    }
}
