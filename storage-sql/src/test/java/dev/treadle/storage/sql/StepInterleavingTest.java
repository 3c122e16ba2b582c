package dev.treadle.storage.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.treadle.job.JobId;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Details;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.Trigger;
import dev.treadle.storage.RunStorage.NewStep;
import dev.treadle.storage.RunStorage.StepAnswer;
import dev.treadle.storage.sql.admin.SqlOperators;
import dev.treadle.storage.sql.jobs.SqlSteps;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** A step that is being recorded holds the lease, and a lease that is being taken holds the step. */
class StepInterleavingTest extends Interleaving {
    private static final NewStep STEP = new NewStep("pay", Duration.ofMillis(1), "1", Set.of());

    @Test
    void the_next_holder_of_the_lease_waits_for_a_step_in_progress_and_finds_it() throws Exception {
        Lease lease = claimed();
        JobId id = lease.job().id();
        OpenTransaction step = transaction();
        OpenTransaction cancel = transaction();

        assertEquals(new StepAnswer.Recorded(), step.does(session -> SqlSteps.record(session, RunId.of(lease), STEP)));
        Future<WriteResult> cancelled = cancel.waitsToDo(
                session -> SqlOperators.change(session, keys, id, Trigger.CANCEL, Details.of(BY_TEST)));
        step.commit();

        assertEquals(WriteResult.WRITTEN, OpenTransaction.answer(cancelled));
        cancel.commit();
        assertEquals(1, storage.runs().steps(id, 0, 10).size());
    }

    @Test
    void a_step_waits_for_those_who_take_the_lease_and_is_refused() throws Exception {
        Lease lease = claimed();
        JobId id = lease.job().id();
        OpenTransaction cancel = transaction();
        OpenTransaction step = transaction();

        cancel.does(session -> SqlOperators.change(session, keys, id, Trigger.CANCEL, Details.of(BY_TEST)));
        Future<StepAnswer> late = step.waitsToDo(session -> SqlSteps.record(session, RunId.of(lease), STEP));
        cancel.commit();

        assertEquals(new StepAnswer.LeaseLost(), OpenTransaction.answer(late));
        step.commit();
        assertEquals(List.of(), storage.runs().steps(id, 0, 10));
    }
}
