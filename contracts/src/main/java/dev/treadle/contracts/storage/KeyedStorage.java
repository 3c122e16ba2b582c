package dev.treadle.contracts.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.treadle.job.Due;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.KeyRule;
import dev.treadle.job.OperatorNote;
import dev.treadle.lifecycle.Lease;
import dev.treadle.storage.NewJob;
import java.util.ArrayList;
import java.util.List;

/** Words in which contracts speak of jobs with a key. */
abstract class KeyedStorage extends StorageContract {
    static final OperatorNote ANNA = new OperatorNote("anna", "no longer needed");

    final NewJob aJobWith(KeyRule rule) {
        return jobs.withTraits(JobTraits.DEFAULT.withKey(rule));
    }

    final NewJob aJobWith(KeyRule rule, Due due) {
        NewJob now = aJobWith(rule);
        return new NewJob(now.id(), now.invocation(), due, now.traits());
    }

    /** Keeps so many jobs with one call, and gives their ids in the order of the list. */
    final List<JobId> kept(KeyRule rule, int count) {
        List<NewJob> batch = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            batch.add(aJobWith(rule));
        }
        storage.insert(batch);
        return batch.stream().map(NewJob::id).toList();
    }

    /** These and no others can be claimed now. */
    final List<Lease> assertClaims(List<JobId> expected) {
        List<Lease> taken = storage.claim(NODE, FULL);
        assertEquals(expected, idsOf(taken));
        return taken;
    }

    final Lease assertClaims(JobId expected) {
        return assertClaims(List.of(expected)).get(0);
    }

    final void assertNothingToClaim() {
        assertClaims(List.of());
    }

    /** Claims what there is to claim and ends it well, until there is nothing any more; gives the order. */
    final List<JobId> drained() {
        List<JobId> order = new ArrayList<>();
        for (List<Lease> taken; !(taken = storage.claim(NODE, FULL)).isEmpty(); ) {
            order.addAll(idsOf(taken));
            storage.record(taken.stream().map(Endings::completed).toList());
        }
        return order;
    }
}
