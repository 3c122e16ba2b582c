package dev.treadle.contracts.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.treadle.job.JobId;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What every storage must know without counting: how many jobs are in each state. Extend it, hand over an empty storage, and it runs. */
public abstract class CountContract extends StorageContract {
    private static final OperatorNote ANNA = new OperatorNote("anna", null);

    private final Set<JobId> made = new HashSet<>();

    /** For subclasses. */
    protected CountContract() {}

    /** Whatever a test does: what is said is what is there. */
    @AfterEach
    final void the_counts_are_those_of_the_states() {
        assertEquals(counted(made), storage.search().counts());
        storage.tidy();
        storage.tidy();
        assertEquals(counted(made), storage.search().counts());
    }

    @Test
    final void an_empty_storage_has_no_jobs_in_any_state() {
        assertEquals(counted(Set.of()), storage.search().counts());
    }

    @Test
    final void a_job_counts_once_wherever_it_has_come() {
        for (StateName state : StateName.values()) {
            if (state != StateName.ENQUEUED) {
                made.add(aJobThatIs(state));
            }
        }
        made.add(aJobThatIs(StateName.ENQUEUED));

        storage.search().counts().forEach((state, count) -> assertEquals(1, count, () -> "jobs " + state));
    }

    @Test
    final void a_job_that_is_there_already_does_not_count_again() {
        var once = jobs.anEnqueuedJob();
        var later = jobs.aJobDueIn(Jobs.LONG);
        made.addAll(List.of(once.id(), later.id()));
        storage.insert(List.of(once, later));

        storage.insert(List.of(once, later));
        storage.insertLeased(NODE, List.of(once));

        assertEquals(1, storage.search().counts().get(StateName.ENQUEUED));
    }

    @Test
    final void every_move_back_counts() {
        Lease back = claimed();
        assertWritten(Endings.givenBack(back));
        Lease again = claim(NODE, back.job().id());
        assertWritten(Endings.threw(again, Duration.ZERO));
        Lease third = claim(NODE, back.job().id());
        assertWritten(Endings.completed(third));
        assertStale(Endings.failed(third));
        JobId running = claimed().job().id();
        storage.cancel(running, ANNA);
        storage.runAgain(running, ANNA);
        storage.cancel(running, ANNA);
        storage.runAgain(back.job().id(), ANNA);
        made.addAll(List.of(back.job().id(), running));
    }

    @Test
    final void batches_count_as_what_they_hold() {
        List<Lease> taken = new ArrayList<>(claimed(20));
        taken.addAll(storage.insertLeased(NODE, jobs.enqueuedJobs(5)));
        taken.forEach(lease -> made.add(lease.job().id()));
        storage.record(List.of(
                Endings.completed(taken.get(0)),
                Endings.completed(taken.get(1)),
                Endings.failed(taken.get(2)),
                Endings.parked(taken.get(3)),
                Endings.givenBack(taken.get(4)),
                Endings.threw(taken.get(5), Jobs.LONG),
                Endings.completed(taken.get(22))));
    }

    @Test
    final void what_comes_back_from_parking_counts() {
        beat(OTHER);
        Lease lease = claimed();
        assertWritten(Endings.parked(lease));
        made.add(lease.job().id());

        storage.unpark(OTHER, Jobs.TARGET, FULL);
    }

    private Map<StateName, Long> counted(Collection<JobId> ids) {
        Map<StateName, Long> counts = new EnumMap<>(StateName.class);
        for (StateName state : StateName.values()) {
            counts.put(state, 0L);
        }
        storage.queries().states(ids).values().forEach(state -> counts.merge(state, 1L, Long::sum));
        return counts;
    }
}
