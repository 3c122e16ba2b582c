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
import dev.treadle.payload.JsonArguments;
import dev.treadle.payload.TargetRules;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.ScriptedStorage;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a node starts new jobs at once, without a claim: only where none that is due waits before them. */
class DirectStartRuleTest {
    private static final NodeInfo SELF = new NodeInfo(new NodeId(1), "self", "by hand", 8);

    private final Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final InstantSource time = () -> now;
    private final StorageProvider real = new InMemoryStorageProvider(time);
    private final IdSource ids = new IdSource(time, new Random(1));
    private final Queue<Runnable> lent = new ArrayDeque<>();
    private boolean threadless;
    private int claims;
    private int bornHere;
    /** Most jobs that the next claim gives, though there may be more: as one that begins where the last one ended. */
    private int seen = Integer.MAX_VALUE;

    private final Node node = new Node(
            ScriptedStorage.over(real, (call, arguments, made) -> {
                if (call.equals("claim")) {
                    claims++;
                    int most = arguments.length - 1;
                    arguments[most] = Math.min(seen, (int) arguments[most]);
                    seen = Integer.MAX_VALUE;
                } else if (call.equals("insertLeased")) {
                    bornHere++;
                }
                return made.make();
            }),
            SELF,
            new ExecutionConfig(WorkerPools.of(this::lend, 8), invoker(), (thrown, attempt) -> RetryDecision.BY_POLICY),
            JobServerSettings.DEFAULT,
            Nudges.none(),
            new Environment(time, new Random(1)));

    /** A job that does nothing. */
    record Nothing() implements JobRequest<Void> {}

    @BeforeEach
    void beat() {
        node.beat();
    }

    @Test
    void a_new_job_starts_at_once_where_a_claim_has_found_nothing_and_as_long_as_nothing_is_heard_of() {
        node.dispatch();
        enqueueHere(3);
        assertEquals(3, bornHere);

        node.jobsBecameDue();
        enqueueHere(1);

        assertEquals(3, bornHere);
    }

    @Test
    void it_waits_where_a_claim_has_found_something_but_perhaps_not_all() {
        real.insert(List.of(job(), job(), job()));
        node.jobsBecameDue();
        seen = 1;
        node.dispatch();
        assertEquals(1, lent.size(), "two stand hidden");

        enqueueHere(1);

        assertEquals(0, bornHere, "it would overtake two");
    }

    @Test
    void whoever_could_not_start_a_job_makes_the_node_look_again_at_once_so_that_the_next_may() {
        enqueueHere(1);
        assertEquals(
                Duration.ZERO, node.dispatch(), "it found the one, and somebody waits to know whether that is all");
        assertEquals(1, lent.size());
        assertTrue(node.dispatch().compareTo(Duration.ZERO) > 0);
        assertEquals(2, claims);

        enqueueHere(5);

        assertEquals(5, bornHere);
        assertEquals(2, claims);
    }

    @Test
    void nobody_looks_twice_where_nobody_puts_in_jobs() {
        real.insert(List.of(job()));
        node.jobsBecameDue();

        assertTrue(node.dispatch().compareTo(Duration.ZERO) > 0);
    }

    @Test
    void where_no_thread_can_be_had_all_that_were_born_go_back() {
        node.dispatch();
        threadless = true;

        assertThrows(OutOfMemoryError.class, () -> node.insert(List.of(job(), job(), job())));

        node.record();
        assertEquals(List.of(), real.leasesOf(SELF.id()));
        assertEquals(0, node.inFlight().size());
        assertEquals(0, node.running());
        assertEquals(0, node.localQueues().queueStats().get(0).held());
        assertEquals(3, real.claim(new NodeId(2), 10).size());
    }

    private void lend(Runnable task) {
        if (threadless) {
            throw new OutOfMemoryError("unable to create native thread, as if");
        }
        lent.add(task);
    }

    private void enqueueHere(int jobs) {
        for (int i = 0; i < jobs; i++) {
            node.insert(List.of(job()));
        }
    }

    private NewJob job() {
        return new NewJob(
                ids.nextJobId(), new Invocation(Nothing.class.getName(), null, "{}"), Due.NOW, JobTraits.DEFAULT);
    }

    private static Invoker invoker() {
        Handlers handlers = Handlers.none().withResult(Nothing.class, (nothing, job) -> null);
        return new Invoker(
                TargetRules.allow(Set.of()).withRegistered(handlers.requests()),
                handlers,
                new ConstructorActivator(),
                new JsonArguments(JsonArguments.ARGUMENT_BYTES_MAX),
                DirectStartRuleTest.class.getClassLoader());
    }
}
