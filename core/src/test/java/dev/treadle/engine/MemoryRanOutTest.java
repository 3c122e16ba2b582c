package dev.treadle.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.enqueue.IdSource;
import dev.treadle.invoke.ConstructorActivator;
import dev.treadle.invoke.Handlers;
import dev.treadle.invoke.Invoker;
import dev.treadle.job.Due;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobTraits;
import dev.treadle.job.NodeId;
import dev.treadle.job.RetryDecision;
import dev.treadle.job.StateName;
import dev.treadle.payload.JsonArguments;
import dev.treadle.payload.TargetRules;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.ScriptedStorage;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.time.Instant;
import java.time.InstantSource;
import java.util.AbstractList;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A node that has no memory for a moment loses no job by it. */
class MemoryRanOutTest {
    private static final NodeInfo SELF = new NodeInfo(new NodeId(1), "self", "by hand", 8);

    private final Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final InstantSource time = () -> now;
    private final StorageProvider real = new InMemoryStorageProvider(time);
    private final IdSource ids = new IdSource(time, new Random(1));
    private final Queue<Runnable> lent = new ArrayDeque<>();
    private final Scarce scarce = new Scarce();
    private boolean unreadable;

    private final Node node = new Node(
            ScriptedStorage.over(real, (call, arguments, made) -> {
                Object answer = made.make();
                return call.equals("claim") && unreadable ? new Unreadable((List<?>) answer) : answer;
            }),
            SELF,
            new ExecutionConfig(WorkerPools.of(lent::add, 8), invoker(), (thrown, attempt) -> RetryDecision.BY_POLICY),
            JobServerSettings.DEFAULT,
            Nudges.none(),
            new Environment(time, scarce));

    record Nothing() implements JobRequest<Void> {}

    @Test
    void an_ending_for_which_there_is_no_memory_is_handed_in_when_there_is_some() {
        node.beat();
        NewJob job = enqueued();
        node.dispatch();
        scarce.left = 3;

        lent.remove().run();

        assertEquals(0, scarce.left);
        node.record();
        assertEquals(StateName.SUCCEEDED, stateOf(job));
        assertEquals(0, node.inFlight().size());
        assertEquals(0, node.running());
    }

    @Test
    void jobs_that_were_claimed_and_not_taken_in_for_want_of_memory_are_found_again() {
        node.beat();
        NewJob job = enqueued();
        unreadable = true;
        assertThrows(OutOfMemoryError.class, node::dispatch);
        assertEquals(StateName.PROCESSING, stateOf(job));
        assertTrue(lent.isEmpty());
        unreadable = false;

        node.dispatch();

        lent.remove().run();
        node.record();
        assertEquals(StateName.SUCCEEDED, stateOf(job));
        assertEquals(0, node.inFlight().size());
    }

    private NewJob enqueued() {
        NewJob job = new NewJob(
                ids.nextJobId(), new Invocation(Nothing.class.getName(), null, "{}"), Due.NOW, JobTraits.DEFAULT);
        real.insert(List.of(job));
        node.jobsBecameDue();
        return job;
    }

    private StateName stateOf(NewJob job) {
        return real.queries().find(job.id()).orElseThrow().job().state().name();
    }

    private static Invoker invoker() {
        return new Invoker(
                TargetRules.applicationTypes(),
                Handlers.none().withResult(Nothing.class, (request, context) -> null),
                new ConstructorActivator(),
                new JsonArguments(),
                MemoryRanOutTest.class.getClassLoader());
    }

    /** The decision about a job's next state asks for a number; here that takes memory. */
    private static final class Scarce extends Random {
        private int left;

        @Override
        public double nextDouble() {
            if (left > 0) {
                left--;
                throw new OutOfMemoryError("there is none for a moment");
            }
            return super.nextDouble();
        }
    }

    /** An answer that cannot be looked at. */
    private static final class Unreadable extends AbstractList<Object> {
        private final List<?> answer;

        Unreadable(List<?> answer) {
            this.answer = answer;
        }

        @Override
        public Object get(int index) {
            throw new OutOfMemoryError("there is none for a moment");
        }

        @Override
        public int size() {
            return answer.size();
        }
    }
}
