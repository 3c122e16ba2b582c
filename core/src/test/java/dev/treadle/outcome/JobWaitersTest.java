package dev.treadle.outcome;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.Due;
import dev.treadle.job.JobId;
import dev.treadle.job.JobResult;
import dev.treadle.job.JobTraits;
import dev.treadle.job.NodeId;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.AttemptEnd;
import dev.treadle.lifecycle.Completion;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.Leases;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class JobWaitersTest {
    private static final NodeId NODE = new NodeId(1);
    private static final JobId ID = Leases.number(1).job().id();

    private final StorageProvider storage = new InMemoryStorageProvider();
    private final JobWaiters awaited = new JobWaiters(storage, () -> {});

    @Test
    void what_ends_here_is_told_at_once_and_what_ends_elsewhere_at_the_next_look() {
        for (boolean here : new boolean[] {true, false}) {
            CompletableFuture<Completion> one = awaited.of(ID);
            CompletableFuture<Completion> other = awaited.of(ID);
            Transition ending = AttemptEnd.succeeded(claimed(), Duration.ZERO, JobResult.of("42"));
            awaited.turn();
            assertFalse(one.isDone());

            storage.record(List.of(ending));
            if (here) {
                awaited.written(ending);
            } else {
                awaited.turn();
            }

            Completion expected = new Completion(StateName.SUCCEEDED, JobResult.of("42"), null);
            assertEquals(expected, one.getNow(null));
            assertEquals(expected, other.getNow(null));
            storage.runAgain(ID, new dev.treadle.job.OperatorNote("a test", null));
        }
    }

    @Test
    void an_attempt_that_failed_and_comes_again_is_no_end() {
        CompletableFuture<Completion> one = awaited.of(ID);

        awaited.written(AttemptEnd.stopped(claimed(), Duration.ZERO));

        assertFalse(one.isDone());
    }

    @Test
    void nobody_is_looked_for_when_those_who_waited_have_gone() {
        claimed();
        CompletableFuture<Completion> one = awaited.of(ID);
        CompletableFuture<Completion> other = awaited.of(ID);
        long busy = awaited.turn().toMillis();

        one.cancel(false);
        assertEquals(busy, awaited.turn().toMillis(), "the other still waits");
        other.cancel(false);

        assertTrue(awaited.turn().toMillis() > busy, "nothing is awaited");
    }

    private Lease claimed() {
        storage.insert(List.of(new NewJob(ID, Leases.number(1).job().invocation(), Due.NOW, JobTraits.DEFAULT)));
        return storage.claim(NODE, 1).get(0);
    }
}
