package dev.treadle.contracts.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.treadle.job.EnqueueResult;
import dev.treadle.job.EnqueueResult.Answer;
import dev.treadle.job.JobId;
import dev.treadle.job.StateName;
import dev.treadle.job.Unique.OnConflict;
import dev.treadle.job.Unique.Span;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.UniqueTerms.Asked;
import dev.treadle.storage.NewJob;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What must hold of unique names when several ask for one at the same time. */
public abstract class UniqueRaceContract extends KeyedStorage {
    private static final int ROUNDS = 15;

    /** For subclasses. */
    protected UniqueRaceContract() {}

    @Test
    final void of_four_that_ask_for_a_name_at_once_one_gets_it_and_all_are_told_which() {
        for (int round = 0; round < ROUNDS; round++) {
            Asked asked = new Asked("round " + round, Span.WAITING_OR_RUNNING, null, OnConflict.KEEP);

            List<EnqueueResult> answers = Together.times(4, () -> storage.insertUnique(jobs.anEnqueuedJob(), asked));

            JobId holder = answers.get(0).id();
            assertEquals(
                    4, answers.stream().filter(one -> one.id().equals(holder)).count(), answers::toString);
            assertEquals(
                    1,
                    answers.stream()
                            .filter(one -> one.answer() == Answer.ENQUEUED)
                            .count(),
                    answers::toString);
            assertWritten(Endings.completed(assertClaims(holder)));
        }
    }

    @Test
    final void the_name_of_an_ended_job_goes_to_one_of_four() {
        Asked asked = new Asked("one", Span.WAITING_OR_RUNNING, null, OnConflict.KEEP);
        for (int round = 0; round < ROUNDS; round++) {
            List<EnqueueResult> answers = Together.times(4, () -> storage.insertUnique(jobs.anEnqueuedJob(), asked));

            assertEquals(
                    1,
                    answers.stream()
                            .filter(one -> one.answer() == Answer.ENQUEUED)
                            .count(),
                    answers::toString);
            assertWritten(Endings.completed(assertClaims(answers.get(0).id())));
        }
    }

    @Test
    final void replacing_and_claiming_at_once_either_runs_the_last_arguments_or_makes_a_new_job() {
        Asked asked = new Asked("one", Span.WAITING, null, OnConflict.REPLACE);
        for (int round = 0; round < ROUNDS; round++) {
            NewJob first = jobs.withArguments("[1]");
            storage.insertUnique(first, asked);
            NewJob last = jobs.withArguments("[2]");

            var both = Together.two(() -> storage.insertUnique(last, asked), () -> storage.claim(NODE, 1));

            boolean replaced = both.one().answer() == Answer.REPLACED;
            List<Lease> taken = both.other();
            if (taken.isEmpty()) {
                taken = storage.claim(NODE, 1);
            }
            Lease lease = taken.get(0);
            assertEquals(first.id(), lease.job().id());
            assertEquals(replaced ? "[2]" : "[1]", lease.job().invocation().arguments());
            assertWritten(Endings.completed(lease));
            List<Lease> rest = storage.claim(NODE, FULL);
            assertEquals(replaced ? List.of() : List.of(last.id()), idsOf(rest));
            recordAll(rest.stream().map(Endings::completed).toList());
            assertEquals(StateName.SUCCEEDED, stateOf(first.id()));
        }
    }
}
