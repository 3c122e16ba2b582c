package dev.treadle.contracts.storage;

import static dev.treadle.job.HistoryEntry.Event.COMPLETED;
import static dev.treadle.job.HistoryEntry.Event.NODE_LOST;
import static dev.treadle.job.StateName.ENQUEUED;
import static dev.treadle.job.StateName.PROCESSING;
import static dev.treadle.job.StateName.SCHEDULED;
import static dev.treadle.job.StateName.SUCCEEDED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.treadle.job.Due;
import dev.treadle.job.HistoryEntry;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.AttemptEnd;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.NewJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * What every storage must do with hundreds of jobs at once, for which it may have a shorter way: the same as with each by
 * itself. Extend it, hand over an empty storage, and it runs.
 */
public abstract class ManyContract extends StorageContract {
    private static final int MANY = 240;

    /** For subclasses. */
    protected ManyContract() {}

    @Test
    final void each_of_many_is_kept_as_it_was_given() {
        List<NewJob> given = new ArrayList<>();
        for (int n = 0; n < MANY; n++) {
            given.add(different(n));
        }

        assertEquals(Set.of(), storage.insert(given));

        List<Lease> taken = storage.claim(NODE, FULL);
        assertEquals(MANY, taken.size());
        for (NewJob job : given) {
            Lease lease = taken.stream()
                    .filter(one -> one.job().id().equals(job.id()))
                    .findFirst()
                    .orElseThrow();
            assertEquals(job.invocation(), lease.job().invocation());
            assertEquals(job.traits(), lease.job().traits());
            assertEquals(1, lease.job().attempt());
        }
        assertEquals(MANY, storage.search().counts().get(PROCESSING));
    }

    private NewJob different(int n) {
        String arguments = Texts.ARGUMENTS.get(n % Texts.ARGUMENTS.size());
        Invocation invocation = n % 2 == 0
                ? new Invocation("com.acme.Größe" + n, null, arguments)
                : new Invocation("com.acme.Slips", "generate(int)", arguments);
        JobTraits traits = JobTraits.DEFAULT.withPriority(n % 3 == 0 ? JobTraits.PRIORITY_MIN : n % 5);
        return new NewJob(
                jobs.nextId(),
                invocation,
                Due.NOW,
                n % 7 == 0 ? traits.withName("Zoë " + n).withTimeout(Duration.ofSeconds(n + 1)) : traits);
    }

    @Test
    final void of_many_those_that_are_there_are_answered_and_the_others_kept() {
        NewJob there = jobs.withArguments("[\"first\"]");
        keep(there);
        List<NewJob> many = new ArrayList<>(jobs.enqueuedJobs(MANY));
        many.add(MANY / 2, new NewJob(there.id(), new Invocation("com.acme.B", null, "{}"), Due.NOW, there.traits()));

        assertEquals(Set.of(there.id()), storage.insert(many));
        assertEquals(Set.copyOf(many.stream().map(NewJob::id).toList()), storage.insert(many));

        assertEquals(MANY + 1, storage.search().counts().get(ENQUEUED));
        assertEquals(there.invocation(), Stories.of(storage, there.id()).job().invocation());
        assertDueOnce(many.stream().map(NewJob::id).toList());
    }

    @Test
    final void many_jobs_that_come_twice_are_kept_once() {
        List<NewJob> once = jobs.enqueuedJobs(MANY);
        List<NewJob> twice = new ArrayList<>(once);
        twice.addAll(once);

        assertEquals(Set.copyOf(once.stream().map(NewJob::id).toList()), storage.insert(twice));

        assertEquals(MANY, storage.search().counts().get(ENQUEUED));
        assertDueOnce(once.stream().map(NewJob::id).toList());
    }

    @Test
    final void each_of_many_attempts_is_told_if_its_lease_still_held() {
        List<Lease> leases = claimed(MANY);
        Lease lost = leases.get(MANY / 3);
        assertWritten(Endings.rescued(lost, Jobs.LONG));
        List<Transition> endings = new ArrayList<>();
        for (int n = 0; n < MANY; n++) {
            endings.add(AttemptEnd.succeeded(leases.get(n), Duration.ofNanos(n * 1_000L)));
        }
        endings.add(endings.get(0));

        List<WriteResult> answers = storage.record(endings);

        for (int n = 0; n < MANY; n++) {
            JobId id = leases.get(n).job().id();
            List<HistoryEntry> history = Stories.of(storage, id).history();
            assertEquals(1, history.size());
            HistoryEntry row = history.get(0);
            if (leases.get(n) == lost) {
                assertInstanceOf(WriteResult.Stale.class, answers.get(n));
                assertEquals(NODE_LOST, row.event());
            } else {
                assertEquals(WriteResult.WRITTEN, answers.get(n));
                assertEquals(
                        new HistoryEntry(
                                COMPLETED,
                                SUCCEEDED,
                                1,
                                NODE,
                                null,
                                leases.get(n).job().state().since(),
                                row.at(),
                                Duration.ofNanos(n * 1_000L),
                                null),
                        row);
            }
        }
        assertEquals(WriteResult.WRITTEN, answers.get(MANY), "the second of one lease is there already");
        assertEquals(MANY - 1, storage.search().counts().get(SUCCEEDED));
        assertEquals(1, storage.search().counts().get(SCHEDULED));
        assertEquals(0, storage.search().counts().get(PROCESSING));
        assertEquals(List.of(), storage.leasesOf(NODE));
    }
}
