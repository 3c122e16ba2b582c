package dev.treadle.contracts.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.treadle.job.AfterRule;
import dev.treadle.job.Due;
import dev.treadle.job.GateId;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.KeyRule;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Gate;
import dev.treadle.lifecycle.Lease;
import dev.treadle.storage.GateStorage.Answer;
import dev.treadle.storage.NewJob;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What every storage must do with batches. Extend it, hand over an empty storage, and it runs. */
public abstract class BatchContract extends GateWords {
    private static final int RACES = 10;

    /** For subclasses. */
    protected BatchContract() {}

    @Test
    final void a_batch_goes_on_when_all_of_its_jobs_have_ended() {
        NewJob batch = aBatch(JobTraits.DEFAULT);
        Gate first = written(gates().batch(batch, 0, jobsOf(batch, 0, 2), false));
        assertEquals(2, first.spawned());
        assertNull(first.need());
        assertEquals(StateName.WAITING, state(batch.id()));
        endAll();
        assertEquals(0, open(), "more may come");
        assertEquals(
                3L, written(gates().batch(batch, 2, jobsOf(batch, 2, 1), true)).need());
        assertEquals(0, open());
        Lease last = storage.claim(NODE, FULL).get(0);
        assertEquals(WriteResult.WRITTEN, record(Endings.failed(last)));

        assertEquals(1, open());

        assertEquals(batch.id(), claim(NODE, batch.id()).job().id());
        Gate gate = gates().find(first.id()).orElseThrow();
        assertEquals(3, gate.ended());
        assertEquals(1, gate.failed());
    }

    @Test
    final void putting_the_same_jobs_into_it_again_changes_nothing() {
        NewJob batch = aBatch(JobTraits.DEFAULT);
        gates().batch(batch, 0, jobsOf(batch, 0, 2), false);
        gates().batch(batch, 0, jobsOf(batch, 0, 2), false);
        Gate sealed = written(gates().batch(batch, 2, jobsOf(batch, 2, 2), true));

        assertEquals(sealed, written(gates().batch(batch, 2, jobsOf(batch, 2, 2), true)));
        assertEquals(4L, sealed.need());
        assertEquals(4, storage.search().counts().get(StateName.ENQUEUED));
        assertEquals(1, storage.search().counts().get(StateName.WAITING));
        endAll();
        assertEquals(1, open());
        assertEquals(
                sealed.need(),
                written(gates().batch(batch, 4, jobsOf(batch, 4, 2), true)).need(),
                "also afterwards");
        assertFalse(storage.queries().find(sealed.id().child(4)).isPresent());
    }

    @Test
    final void an_empty_batch_goes_on_at_once() {
        NewJob batch = aBatch(JobTraits.DEFAULT);
        written(gates().batch(batch, 0, List.of(), true));

        assertEquals(1, open());
        claim(NODE, batch.id());
    }

    @Test
    final void a_cancelled_batch_cancels_its_jobs_and_takes_no_more() {
        NewJob batch = aBatch(JobTraits.DEFAULT);
        gates().batch(batch, 0, jobsOf(batch, 0, 3), false);
        assertEquals(WriteResult.WRITTEN, storage.cancel(batch.id(), ANNA));

        assertInstanceOf(Answer.LeaseLost.class, gates().batch(batch, 3, jobsOf(batch, 3, 3), true));
        open();

        assertEquals(4, storage.search().counts().get(StateName.CANCELLED));
    }

    @Test
    final void a_job_that_is_no_batch_takes_no_jobs() {
        NewJob job = jobs.anEnqueuedJob();
        keep(job);
        NewJob batch = new NewJob(job.id(), job.invocation(), Due.BATCH, job.traits());

        assertInstanceOf(Answer.LeaseLost.class, gates().batch(batch, 0, jobsOf(batch, 0, 1), true));
        assertEquals(1, storage.search().counts().get(StateName.ENQUEUED));
        claim(NODE, job.id());
    }

    @Test
    final void jobs_run_after_a_batch_and_batches_have_keys() {
        NewJob batch =
                aBatch(JobTraits.DEFAULT.withKey(KeyRule.limit("tenant", 1)).withLabels("import"));
        gates().batch(batch, 0, jobsOf(batch, 0, 2), true);
        NewJob plain = jobs.anEnqueuedJob();
        NewJob next = new NewJob(
                plain.id(),
                plain.invocation(),
                new Due.AfterJobs(AfterRule.AFTER_SUCCESS, List.of(batch.id())),
                plain.traits());
        keep(next);
        assertEquals(List.of(batch.id()), storage.queries().labelled("import", null, FULL));
        endAll();
        assertEquals(1, open());
        assertInstanceOf(WriteResult.Written.class, record(Endings.completed(claim(NODE, batch.id()))));
        assertEquals(1, open());

        claim(NODE, next.id());
    }

    @Test
    final void two_who_enqueue_the_same_batch_at_once_make_one() {
        for (int race = 0; race < RACES; race++) {
            NewJob batch = aBatch(JobTraits.DEFAULT);
            Callable<Object> both = () -> gates().batch(batch, 0, jobsOf(batch, 0, 5), true);

            Together.all(List.of(both, both, both));

            endAll();
            assertEquals(1, open(), "race " + race);
            Lease lease = claim(NODE, batch.id());
            assertInstanceOf(WriteResult.Written.class, record(Endings.completed(lease)));
        }
    }

    private void endAll() {
        recordAll(storage.claim(NODE, FULL).stream().map(Endings::completed).toList());
    }

    private NewJob aBatch(JobTraits traits) {
        NewJob job = jobs.withTraits(traits);
        return new NewJob(job.id(), job.invocation(), Due.BATCH, job.traits());
    }

    private List<NewJob> jobsOf(NewJob batch, long from, int count) {
        GateId gate = GateId.of(batch.id(), Gate.BATCH);
        return LongStream.range(from, from + count)
                .mapToObj(i -> {
                    NewJob job = jobs.anEnqueuedJob();
                    JobId id = gate.child(i);
                    return new NewJob(
                            id, job.invocation(), job.due(), job.traits().withGate(gate));
                })
                .toList();
    }
}
