package dev.treadle.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import dev.treadle.payload.JsonArguments;
import dev.treadle.payload.TargetRules;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A node that stands still for longer than others wait for it, with jobs claimed ahead. */
class PausedNodeTest {
    private static final NodeInfo SELF = new NodeInfo(new NodeId(1), "self", "by hand", 1);
    private static final JobServerSettings SETTINGS = JobServerSettings.DEFAULT;

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final InstantSource time = () -> now;
    private final StorageProvider storage = new InMemoryStorageProvider(time);
    private final IdSource ids = new IdSource(time, new Random(1));
    private final Queue<Runnable> lent = new ArrayDeque<>();
    private int runs;
    private final Node node = new Node(
            storage,
            SELF,
            new ExecutionConfig(WorkerPools.of(lent::add, 1), invoker(), (thrown, attempt) -> RetryDecision.BY_POLICY),
            SETTINGS,
            Nudges.none(),
            new Environment(time, new Random(1)));

    /** A job that counts itself. */
    record Count() implements JobRequest<Void> {}

    @Test
    void what_was_claimed_ahead_is_given_back_instead_of_started_after_a_pause() {
        node.beat();
        enqueue(40);
        for (int n = 0; n < 20; n++) {
            node.dispatch();
            lent.remove().run();
            node.record();
        }
        now = now.plusMillis(20);
        node.dispatch();
        int held = storage.leasesOf(SELF.id()).size();
        assertTrue(held > 1, "it has finished so many lately that it claims ahead");

        now = now.plus(SETTINGS.deadAfter());
        lent.remove().run();
        node.record();

        assertEquals(21, runs, "only the one that had begun");
        assertEquals(0, lent.size());
        assertEquals(0, storage.leasesOf(SELF.id()).size());
        assertTrue(
                storage.claim(new NodeId(2), 40).stream()
                        .allMatch(lease -> lease.job().attempt() == 1),
                "unburned");
    }

    private void enqueue(int jobs) {
        storage.insert(Stream.generate(() -> new NewJob(
                        ids.nextJobId(), new Invocation(Count.class.getName(), null, "{}"), Due.NOW, JobTraits.DEFAULT))
                .limit(jobs)
                .toList());
    }

    private Invoker invoker() {
        Handlers handlers = Handlers.none().withResult(Count.class, (count, job) -> {
            runs++;
            return null;
        });
        return new Invoker(
                TargetRules.allow(Set.of()).withRegistered(handlers.requests()),
                handlers,
                new ConstructorActivator(),
                new JsonArguments(JsonArguments.ARGUMENT_BYTES_MAX),
                getClass().getClassLoader());
    }
}
