package dev.treadle.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.invoke.ConstructorActivator;
import dev.treadle.invoke.Handlers;
import dev.treadle.invoke.Invoker;
import dev.treadle.job.IdSource;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobTraits;
import dev.treadle.job.NodeId;
import dev.treadle.job.RetryDecision;
import dev.treadle.payload.JsonArguments;
import dev.treadle.payload.TargetRules;
import dev.treadle.storage.Due;
import dev.treadle.storage.InMemoryStorageProvider;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.ScriptedStorage;
import dev.treadle.storage.StorageProvider;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A permit that comes free wakes the dispatcher if a due job may wait, and only then. Nothing here waits for time. */
class WakeUpTest {
    private static final NodeInfo SELF = new NodeInfo(new NodeId(1), "self", "by hand", 1);

    private final Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final InstantSource time = () -> now;
    private final StorageProvider real = new InMemoryStorageProvider(time);
    private final IdSource ids = new IdSource(time, new Random(1));
    private final Queue<Runnable> lent = new ArrayDeque<>();
    private int nudges;
    private int claims;

    private final Node node = new Node(
            ScriptedStorage.over(real, (call, arguments, made) -> {
                claims += call.equals("claim") ? 1 : 0;
                return made.make();
            }),
            SELF,
            new Node.Border(Crews.of(lent::add, 1), invoker(), (thrown, attempt) -> RetryDecision.BY_POLICY),
            JobServerSettings.DEFAULT,
            new Node.Nudges(() -> nudges++, () -> {}, () -> {}, () -> {}, () -> {}),
            new World(time, new Random(1)));

    /** A job that does nothing. */
    record Nothing() implements JobRequest<Void> {}

    @BeforeEach
    void startAndFindNothing() {
        node.beat();
        node.dispatch();
        assertEquals(1, claims);
    }

    @Test
    void a_job_that_waits_behind_one_that_was_born_here_is_claimed_as_soon_as_that_one_is_written() {
        enqueue();
        enqueue();
        assertEquals(1, lent.size(), "the second finds no permit");
        restlessTurns();

        endOne();
        assertTrue(nudges > 0, "nothing wakes the dispatcher: the job waits for the end of its rest");
        restlessTurns();

        assertEquals(1, lent.size());
        assertEquals(List.of(), real.claim(new NodeId(2), 10));
    }

    @Test
    void with_several_lanes_what_was_heard_of_while_no_permit_was_free_is_looked_for_as_soon_as_one_is() {
        real.insert(List.of(job(JobTraits.DEFAULT.withQueue("other"))));
        node.watch();
        restlessTurns();
        endOne();
        // one that claims nothing, one that asks where something waits and is told nowhere
        restlessTurns();
        restlessTurns();
        int before = claims;
        enqueue();
        assertEquals(List.of(1, before), List.of(lent.size(), claims), "it was not born here");
        // from another process, which does not say where
        real.insert(List.of(job(JobTraits.DEFAULT)));
        node.dueWasHeardOf();
        restlessTurns();

        endOne();
        assertTrue(nudges > 0, "nothing wakes the dispatcher: the job waits for the end of its rest");
        restlessTurns();

        assertEquals(1, lent.size());
    }

    @Test
    void a_turn_that_finds_no_room_for_the_first_time_looks_once_more_since_room_may_have_come_unheard() {
        enqueue();
        enqueue();

        assertEquals(Duration.ZERO, node.dispatch());
        assertTrue(node.dispatch().compareTo(Duration.ZERO) > 0);
        assertEquals(1, claims, "neither of them had room to claim for");
    }

    @Test
    void a_steady_state_in_which_all_jobs_are_born_here_costs_no_claim() {
        int before = claims;
        for (int i = 0; i < 100; i++) {
            enqueue();
            restlessTurns();
            endOne();
        }

        assertEquals(before, claims);
        assertEquals(0, nudges);
    }

    @Test
    void each_job_that_had_to_wait_costs_its_claim_and_the_last_of_them_one_that_finds_nothing() {
        enqueue();
        int waiting = 10;
        for (int i = 0; i < waiting; i++) {
            enqueue();
        }
        int before = claims;
        for (int i = 0; i <= waiting; i++) {
            restlessTurns();
            nudges = 0;
            endOne();
        }
        restlessTurns();

        assertEquals(waiting + 1, claims - before);
    }

    private void enqueue() {
        nudges = 0;
        node.insert(List.of(job(JobTraits.DEFAULT)));
    }

    /** As the loop takes turns after a nudge: until one wants to rest. */
    private void restlessTurns() {
        while (node.dispatch().isZero()) {
            assertTrue(claims < 1_000);
        }
        nudges = 0;
    }

    private void endOne() {
        lent.remove().run();
        node.record();
    }

    private NewJob job(JobTraits traits) {
        return new NewJob(ids.nextJobId(), new Invocation(Nothing.class.getName(), null, "{}"), Due.NOW, traits);
    }

    private static Invoker invoker() {
        return new Invoker(
                TargetRules.applicationTypes(),
                Handlers.none().with(Nothing.class, (request, context) -> null),
                new ConstructorActivator(),
                new JsonArguments(),
                WakeUpTest.class.getClassLoader());
    }
}
