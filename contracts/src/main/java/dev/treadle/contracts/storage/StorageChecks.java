package dev.treadle.contracts.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.treadle.job.JobId;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.Lease;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;

/** What must hold for jobs after others have fought for them. */
abstract class StorageChecks extends StorageWords {
    /** A job is in one place only and is given out at most once; what is still due is run to its end to see that. */
    final void assertInOnePlace(JobId id) {
        StateName state = stateOf(id);
        long leases = Stream.of(NODE, OTHER, AUDITOR)
                .flatMap(node -> idsOf(storage.leasesOf(node)).stream())
                .filter(id::equals)
                .count();
        assertEquals(state == StateName.PROCESSING ? 1 : 0, leases, () -> "leases of a job that is " + state);
        if (state == StateName.ENQUEUED) {
            assertWritten(Endings.completed(claim(AUDITOR, id)));
        }
        if (state != StateName.SCHEDULED) {
            storage.promote(FULL);
        }
        assertEquals(List.of(), idsOf(storage.claim(AUDITOR, FULL)), () -> "given out although it is " + state);
        assertEquals(state == StateName.ENQUEUED ? StateName.SUCCEEDED : state, stateOf(id));
    }

    /** These jobs and no others are due, each once; ends them. */
    final void assertDueOnce(List<JobId> expected) {
        List<Lease> taken = new ArrayList<>();
        Patience.untilTrue("all jobs are given out", () -> {
            taken.addAll(storage.claim(AUDITOR, FULL));
            return taken.size() >= expected.size();
        });
        taken.addAll(storage.claim(AUDITOR, FULL));
        assertEquals(new HashSet<>(expected), new HashSet<>(idsOf(taken)));
        assertEquals(expected.size(), taken.size());
        storage.record(taken.stream().map(Endings::completed).toList());
    }
}
