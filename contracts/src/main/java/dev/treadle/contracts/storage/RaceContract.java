package dev.treadle.contracts.storage;

import static dev.treadle.job.HistoryEntry.Event.COMPLETED;
import static dev.treadle.job.HistoryEntry.Event.NODE_LOST;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.JobId;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.NewJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What every storage must do when nodes get in each other's way. Extend it, hand over an empty storage, and it runs. */
public abstract class RaceContract extends StorageContract {
    private static final int ROUNDS = 20;
    /** For rounds that move many jobs. */
    private static final int LONG_ROUNDS = 5;

    private static final int MANY = 60;

    /** For subclasses. */
    protected RaceContract() {}

    @Test
    final void completing_and_rescuing_at_once_one_wins_and_the_story_agrees() {
        for (int round = 0; round < ROUNDS; round++) {
            Lease lease = claimed();
            JobId id = lease.job().id();

            var answers = Together.two(
                    () -> record(Endings.completed(lease)), () -> record(Endings.rescued(lease, Jobs.LONG)));

            assertTrue(answers.exactlyOneIs(WriteResult.WRITTEN), answers::toString);
            boolean completed = answers.one().equals(WriteResult.WRITTEN);
            Stories.assertEvents(storage, id, completed ? COMPLETED : NODE_LOST);
            assertInOnePlace(id);
        }
    }

    @Test
    final void two_rescuers_at_once_give_a_job_one_more_attempt() {
        for (int round = 0; round < ROUNDS; round++) {
            Lease lease = claimed();
            JobId id = lease.job().id();

            Together.times(2, () -> record(Endings.rescued(lease, Duration.ZERO)));

            Stories.assertEvents(storage, id, NODE_LOST);
            assertEquals(2, claim(OTHER, id).job().attempt());
            assertInOnePlace(id);
            storage.record(storage.leasesOf(OTHER).stream().map(Endings::failed).toList());
        }
    }

    @Test
    final void two_batches_of_the_same_leases_in_opposite_orders_end_each_once() {
        for (int round = 0; round < LONG_ROUNDS; round++) {
            List<Lease> leases = claimed(MANY);
            List<Transition> completed = leases.stream().map(Endings::completed).toList();
            List<Transition> rescued = new ArrayList<>();
            leases.forEach(lease -> rescued.add(Endings.rescued(lease, Jobs.LONG)));
            Collections.reverse(rescued);

            var answers = Together.two(() -> storage.record(completed), () -> storage.record(rescued));

            List<WriteResult> other = new ArrayList<>(answers.other());
            Collections.reverse(other);
            for (int i = 0; i < MANY; i++) {
                boolean done = answers.one().get(i).equals(WriteResult.WRITTEN);
                assertEquals(!done, other.get(i).equals(WriteResult.WRITTEN));
                Stories.assertEvents(storage, leases.get(i).job().id(), done ? COMPLETED : NODE_LOST);
            }
            assertEquals(List.of(), storage.leasesOf(NODE));
        }
    }

    @Test
    final void four_threads_inserting_the_same_jobs_keep_each_once() {
        for (int round = 0; round < LONG_ROUNDS; round++) {
            List<NewJob> there = jobs.enqueuedJobs(MANY);

            List<Set<JobId>> existing = Together.times(4, () -> {
                List<NewJob> mine = new ArrayList<>(there);
                Collections.shuffle(mine);
                return storage.insert(mine);
            });

            for (NewJob job : there) {
                long told =
                        existing.stream().filter(ids -> ids.contains(job.id())).count();
                assertEquals(3, told, "how many of four inserts say that " + job.id() + " was there already");
            }
            assertDueOnce(there.stream().map(NewJob::id).toList());
        }
    }
}
