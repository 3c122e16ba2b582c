package dev.treadle.contracts.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.treadle.job.AfterRule;
import dev.treadle.job.Due;
import dev.treadle.job.JobId;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.NewJob;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** What every storage must do when jobs are put after others while these move. Extend it, and it runs. */
public abstract class AfterRaceContract extends GateWords {
    private static final int RACES = 25;
    private static final int JOBS = 6;

    /** For subclasses. */
    protected AfterRaceContract() {}

    @Test
    final void the_end_of_a_job_and_another_that_is_put_after_it_never_miss_each_other() {
        for (int race = 0; race < RACES; race++) {
            Lease first = claimed();
            NewJob next = after(List.of(first.job().id()));
            List<WriteResult> written = new ArrayList<>();

            Together.all(List.<Callable<Object>>of(
                    () -> written.add(
                            storage.record(List.of(Endings.completed(first))).get(0)),
                    () -> storage.insert(List.of(next)),
                    () -> gates().open(FULL)));

            assertInstanceOf(WriteResult.Written.class, written.get(0), "its end is written, race " + race);
            open();
            assertEquals(StateName.ENQUEUED, state(next.id()), "race " + race);
            recordPlain(claim(NODE, next.id()));
        }
    }

    @Test
    final void the_ends_of_several_jobs_are_all_written() {
        for (int race = 0; race < RACES; race++) {
            List<Lease> firsts = claimed(JOBS);
            List<Transition> endings = firsts.stream()
                    .map(lease -> lease.job().id().value().getLeastSignificantBits() % 2 == 0
                            ? Endings.completed(lease)
                            : Endings.failed(lease))
                    .toList();
            NewJob next = after(ids(firsts));
            List<WriteResult> written = new ArrayList<>();

            Together.all(List.<Callable<Object>>of(
                    () -> written.addAll(storage.record(endings)), () -> storage.insert(List.of(next))));

            written.forEach(one -> assertInstanceOf(WriteResult.Written.class, one));
            open();
            assertEquals(StateName.ENQUEUED, state(next.id()), "race " + race);
            recordPlain(claim(NODE, next.id()));
        }
    }

    @Test
    final void a_claim_and_a_job_that_is_put_after_what_is_claimed_never_miss_each_other() {
        for (int race = 0; race < RACES; race++) {
            List<NewJob> firsts = jobs.enqueuedJobs(JOBS);
            storage.insert(firsts);
            NewJob next = after(firsts.stream().map(NewJob::id).toList());
            List<Lease> taken = new ArrayList<>();

            Together.all(List.<Callable<Object>>of(
                    () -> taken.addAll(storage.claim(NODE, FULL)), () -> storage.insert(List.of(next))));

            while (taken.size() < JOBS) {
                taken.addAll(storage.claim(NODE, FULL));
            }
            recordAll(taken.stream().map(Endings::completed).toList());
            open();
            assertEquals(StateName.ENQUEUED, state(next.id()), "race " + race);
            recordPlain(claim(NODE, next.id()));
        }
    }

    @Test
    final void a_cancel_of_the_first_and_a_job_that_is_put_after_it_never_miss_each_other() {
        for (int race = 0; race < RACES; race++) {
            JobId first = enqueued();
            NewJob next = after(List.of(first));

            Together.all(List.<Callable<Object>>of(
                    () -> storage.cancel(first, ANNA), () -> storage.insert(List.of(next)), () -> gates().open(FULL)));

            open();
            assertEquals(StateName.CANCELLED, state(next.id()), "race " + race);
        }
    }

    private void recordPlain(Lease lease) {
        assertInstanceOf(WriteResult.Written.class, record(Endings.completed(lease)));
    }

    private static List<JobId> ids(List<Lease> leases) {
        return leases.stream().map(lease -> lease.job().id()).toList();
    }

    private NewJob after(List<JobId> ids) {
        NewJob job = jobs.anEnqueuedJob();
        AfterRule rule = ids.size() == 1 ? AfterRule.AFTER_SUCCESS : AfterRule.AFTER_END;
        return new NewJob(job.id(), job.invocation(), new Due.AfterJobs(rule, ids), job.traits());
    }
}
