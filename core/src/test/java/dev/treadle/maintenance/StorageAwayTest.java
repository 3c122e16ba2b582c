package dev.treadle.maintenance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.treadle.job.IdSource;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobTraits;
import dev.treadle.job.NodeId;
import dev.treadle.job.RetryPolicy;
import dev.treadle.outcome.NextState;
import dev.treadle.storage.Due;
import dev.treadle.storage.InMemoryStorageProvider;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.StorageProvider;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The storage is away and calls wait for it: when they are answered at last, nobody may be judged by that silence. */
class StorageAwayTest {
    private static final Duration DEAD_AFTER = Duration.ofSeconds(15);
    private static final NodeInfo SELF = new NodeInfo(new NodeId(1), "self", "pool", 1);
    private static final NodeInfo OTHER = new NodeInfo(new NodeId(2), "other", "pool", 1);

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final InstantSource time = () -> now;
    private final StorageProvider memory = new InMemoryStorageProvider(time);
    /** By how much the clock on the wall has gone on while the steady one stood still. */
    private Duration wallAhead = Duration.ZERO;
    /** The name of the call that waits, and for how long. */
    private String held = "";

    private final Heartbeat heartbeat =
            new Heartbeat(storage(), () -> SELF, DEAD_AFTER, time, () -> now.plus(wallAhead));
    private final OrphanRescuer rescuer =
            new OrphanRescuer(storage(), SELF.id(), heartbeat, new NextState(RetryPolicy.DEFAULT), DEAD_AFTER, () -> 0);

    @BeforeEach
    void two_nodes_run_a_job_each() {
        while (!heartbeat.mayJudge()) {
            memory.heartbeat(OTHER);
            now = now.plus(heartbeat.turn());
        }
        IdSource ids = new IdSource(time, new Random(1));
        for (NodeInfo node : List.of(SELF, OTHER)) {
            memory.insert(List.of(new NewJob(
                    ids.nextJobId(), new Invocation("com.acme.Slip", null, "{}"), Due.NOW, JobTraits.DEFAULT)));
            assertEquals(1, memory.claim(node.id(), 1).size());
        }
    }

    @Test
    void a_node_that_was_answered_after_a_long_wait_rescues_neither_itself_nor_others() {
        held = "orphans";
        rescuer.turn();
        assertStillLeased();
    }

    @Test
    void a_heartbeat_that_was_held_up_counts_as_a_gap() {
        held = "heartbeat";
        heartbeat.turn();
        heartbeat.turn();
        assertTrue(heartbeat.isSure());
        assertFalse(heartbeat.mayJudge(), "the other has not had the time to be heard");
        rescuer.turn();
        assertStillLeased();
    }

    @Test
    void a_heartbeat_that_was_held_up_is_told_of_with_what_to_look_for() {
        Logger logger = (Logger) LoggerFactory.getLogger(Heartbeat.class);
        ListAppender<ILoggingEvent> said = new ListAppender<>();
        said.start();
        logger.setLevel(Level.WARN);
        logger.addAppender(said);
        try {
            heartbeat.turn();
            assertEquals(0, said.list.size());
            held = "heartbeat";
            heartbeat.turn();

            String message = said.list.get(0).getFormattedMessage();
            assertTrue(message.startsWith("A heartbeat took PT30S, more than a third of deadAfter (PT15S)"), message);
            assertTrue(message.contains("connection pool"), message);
        } finally {
            logger.detachAppender(said);
        }
    }

    @Test
    void after_a_while_of_steady_heartbeats_it_judges_again() {
        held = "heartbeat";
        heartbeat.turn();
        for (int beat = 0; beat < 5; beat++) {
            now = now.plus(heartbeat.turn());
        }
        rescuer.turn();
        assertEquals(1, memory.leasesOf(SELF.id()).size());
        assertEquals(0, memory.leasesOf(OTHER.id()).size(), "the other has been silent all the time");
    }

    @Test
    void a_machine_that_was_suspended_is_unsure_until_a_heartbeat_was_answered_though_its_steady_clock_stood_still() {
        assertTrue(heartbeat.isSure());

        wallAhead = DEAD_AFTER;
        assertFalse(heartbeat.isSure(), "others may have taken it for dead");
        rescuer.turn();
        assertStillLeased();

        heartbeat.turn();
        assertTrue(heartbeat.isSure());
        assertFalse(heartbeat.mayJudge(), "the others were suspended as well, and have not had the time to be heard");
        rescuer.turn();
        assertStillLeased();
    }

    @Test
    void a_clock_on_the_wall_that_is_set_back_changes_nothing() {
        wallAhead = Duration.ofHours(-1);

        assertTrue(heartbeat.isSure());
        assertTrue(heartbeat.mayJudge());
        now = now.plus(DEAD_AFTER);
        assertFalse(heartbeat.isSure(), "the steady clock still counts");
    }

    private void assertStillLeased() {
        assertEquals(1, memory.leasesOf(SELF.id()).size());
        assertEquals(1, memory.leasesOf(OTHER.id()).size());
    }

    /** The storage, where one call waits for twice as long as a node may be silent, once. */
    private StorageProvider storage() {
        return (StorageProvider) Proxy.newProxyInstance(
                StorageProvider.class.getClassLoader(),
                new Class<?>[] {StorageProvider.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals(held)) {
                        held = "";
                        now = now.plus(DEAD_AFTER.multipliedBy(2));
                    }
                    try {
                        return method.invoke(memory, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
