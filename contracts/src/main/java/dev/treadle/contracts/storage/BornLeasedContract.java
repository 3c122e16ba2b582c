package dev.treadle.contracts.storage;

import static dev.treadle.job.HistoryEntry.Event.COMPLETED;
import static dev.treadle.job.StateName.PROCESSING;
import static dev.treadle.job.StateName.SUCCEEDED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.Due;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.lifecycle.Lease;
import dev.treadle.storage.NewJob;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What every storage must do when jobs are put in that already have a node. Extend it, hand over an empty storage, and it runs. */
public abstract class BornLeasedContract extends StorageContract {
    /** For subclasses. */
    protected BornLeasedContract() {}

    @Test
    final void a_job_that_is_born_leased_can_be_completed_by_its_node_and_is_never_claimed() {
        NewJob given = jobs.withTraits(JobTraits.DEFAULT.withPriority(-3).withName("first"));

        Lease lease = storage.insertLeased(NODE, List.of(given)).get(0);

        assertEquals(given.id(), lease.job().id());
        assertEquals(given.invocation(), lease.job().invocation());
        assertEquals(given.traits(), lease.job().traits());
        assertEquals(NODE, lease.node());
        assertEquals(1, lease.job().attempt());
        assertStates(given.id(), PROCESSING);
        assertEquals(List.of(), storage.claim(OTHER, FULL));
        assertWritten(Endings.completed(lease));
        assertStates(given.id(), SUCCEEDED);
        Stories.assertEvents(storage, given.id(), COMPLETED);
    }

    @Test
    final void what_the_node_was_given_is_what_the_storage_knows() {
        List<NewJob> given = jobs.enqueuedJobs(3);

        List<Lease> born = storage.insertLeased(NODE, given);

        assertEquals(given.stream().map(NewJob::id).toList(), idsOf(born));
        assertEquals(new HashSet<>(born), new HashSet<>(storage.leasesOf(NODE)));
    }

    @Test
    final void a_job_that_is_there_already_is_left_as_it_is() {
        JobId waits = enqueued();
        JobId runs = storage.insertLeased(OTHER, List.of(jobs.anEnqueuedJob()))
                .get(0)
                .job()
                .id();
        NewJob fresh = jobs.anEnqueuedJob();

        List<Lease> born = storage.insertLeased(NODE, List.of(again(waits), fresh, again(runs), again(fresh.id())));

        assertEquals(List.of(fresh.id()), idsOf(born));
        assertEquals(fresh.invocation(), born.get(0).job().invocation());
        assertEquals(waits, claim(NODE, waits).job().id());
        assertEquals(List.of(runs), idsOf(storage.leasesOf(OTHER)));
    }

    @Test
    final void each_time_the_token_is_another_one_and_claims_have_others_again() {
        Set<Long> tokens = new HashSet<>();
        Stream.generate(() -> storage.insertLeased(NODE, jobs.enqueuedJobs(2)))
                .limit(3)
                .forEach(born -> tokens.add(born.get(0).token()));
        tokens.add(claimed().token());

        assertEquals(4, tokens.size());
    }

    @Test
    final void a_job_whose_node_fell_silent_before_it_began_is_rescued() {
        Lease born = storage.insertLeased(NODE, List.of(jobs.anEnqueuedJob())).get(0);

        List<Lease> orphans = storage.orphans(AUDITOR, FULL);

        assertEquals(List.of(born.job().id()), idsOf(orphans));
        assertWritten(Endings.rescued(orphans.get(0), Duration.ZERO));
        assertStale(Endings.completed(born));
        assertEquals(2, claim(OTHER, born.job().id()).job().attempt());
    }

    @Test
    final void a_full_batch_is_born_at_once() {
        List<Lease> born = storage.insertLeased(NODE, jobs.enqueuedJobs(FULL));

        assertEquals(FULL, born.size());
        assertTrue(storage.claim(OTHER, 1).isEmpty());
    }

    private static NewJob again(JobId id) {
        return new NewJob(id, new Invocation("com.acme.Else", null, "{}"), Due.NOW, JobTraits.DEFAULT);
    }
}
