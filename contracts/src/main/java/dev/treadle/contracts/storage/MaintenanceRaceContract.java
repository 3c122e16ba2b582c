package dev.treadle.contracts.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.JobId;
import dev.treadle.job.NodeId;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.NodeBeat;
import dev.treadle.storage.StorageProvider.Promotion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What every storage must do when several nodes tidy up at once. Extend it, hand over an empty storage, and it runs.
 */
public abstract class MaintenanceRaceContract extends StorageContract {
    private static final int ROUNDS = 20;
    /** For rounds that move many jobs. */
    private static final int LONG_ROUNDS = 5;

    private static final int MANY = 60;

    /** For subclasses. */
    protected MaintenanceRaceContract() {}

    @Test
    final void four_threads_promoting_move_each_job_once() {
        for (int round = 0; round < LONG_ROUNDS; round++) {
            List<NewJob> due = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                due.add(jobs.aJobDueIn(Duration.ofMillis(1 + i % 3)));
            }
            storage.insert(due);
            Patience.pass(Duration.ofMillis(10));

            int moved = Together.times(4, this::promoteAll).stream()
                    .mapToInt(Integer::intValue)
                    .sum();

            assertEquals(MANY, moved);
            assertDueOnce(due.stream().map(NewJob::id).toList());
        }
    }

    private int promoteAll() {
        int[] moved = {0};
        Patience.untilTrue("nothing is scheduled any more", () -> {
            Promotion promotion = storage.promote(7);
            moved[0] += promotion.moved();
            return promotion.untilNext() == null;
        });
        return moved[0];
    }

    @Test
    final void two_nodes_unparking_at_once_move_each_job_once() {
        for (int round = 0; round < LONG_ROUNDS; round++) {
            List<Lease> leases = claimed(MANY);
            storage.record(leases.stream().map(Endings::parked).toList());

            int moved = Together.times(2, () -> storage.unpark(OTHER, Jobs.TARGET, FULL)).stream()
                    .mapToInt(Integer::intValue)
                    .sum();

            assertEquals(MANY, moved + storage.unpark(OTHER, Jobs.TARGET, FULL));
            assertDueOnce(idsOf(leases));
        }
    }

    @Test
    final void a_silent_node_is_buried_by_one_of_two() {
        for (int round = 1; round <= ROUNDS; round++) {
            NodeId silent = new NodeId(1_000 + round);
            beat(silent);
            NodeBeat last = lastBeat(silent);

            var buried = Together.times(2, () -> storage.bury(last));

            assertEquals(1, buried.stream().filter(Boolean::booleanValue).count());
        }
    }

    @Test
    final void a_node_being_buried_while_it_claims_loses_nothing() {
        for (int round = 0; round < ROUNDS; round++) {
            beat(NODE);
            JobId id = enqueued();
            NodeBeat last = lastBeat(NODE);

            var taken = Together.two(() -> storage.claim(NODE, 1).size(), () -> storage.bury(last));

            assertEquals(1, taken.one());
            assertTrue(taken.other());
            assertEquals(List.of(id), idsOf(storage.orphans(OTHER, FULL)));
            assertInOnePlace(id);
            assertWritten(Endings.completed(storage.leasesOf(NODE).get(0)));
        }
    }

    @Test
    final void of_many_that_rescue_the_same_jobs_each_job_is_rescued_once() {
        for (int round = 0; round < LONG_ROUNDS; round++) {
            List<Lease> orphans = claimed(MANY);
            List<Transition> endings = orphans.stream().map(Endings::lost).toList();

            long written = Together.times(4, () -> storage.rescue(endings)).stream()
                    .flatMap(List::stream)
                    .filter(WriteResult.WRITTEN::equals)
                    .count();

            // what one held at that moment the others left alone
            assertEquals(MANY, written);
            assertEquals(List.of(), storage.orphans(AUDITOR, FULL));
        }
    }
}
