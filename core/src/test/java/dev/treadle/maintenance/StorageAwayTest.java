package dev.treadle.maintenance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.treadle.enqueue.IdSource;
import dev.treadle.job.Due;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.NodeId;
import dev.treadle.job.RetryPolicy;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Transition;
import dev.treadle.outcome.NextState;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
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

    private Duration heldFor = DEAD_AFTER.multipliedBy(2);
    /** The job that cannot be rescued. */
    private @Nullable JobId poison;

    private final Heartbeat heartbeat =
            new Heartbeat(storage(), () -> SELF, DEAD_AFTER, time, () -> now.plus(wallAhead));
    private final OrphanRescuer rescuer = new OrphanRescuer(
            storage(), SELF.id(), heartbeat, new NextState(RetryPolicy.DEFAULT), DEAD_AFTER, time, () -> 0);

    @BeforeEach
    void two_nodes_run_a_job_each() {
        for (int beat = 0; beat < 6; beat++) {
            memory.heartbeat(OTHER);
            now = now.plus(heartbeat.turn());
            rescuer.turn();
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
        held = "beats";
        rescuer.turn();
        assertStillLeased();
    }

    @Test
    void a_heartbeat_that_was_held_up_counts_as_a_gap() {
        held = "heartbeat";
        heartbeat.turn();
        heartbeat.turn();
        assertTrue(heartbeat.isSure());
        assertEquals(now, heartbeat.steadySince(), "the other has not had the time to be heard");
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
            rescuer.turn();
        }
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
        assertEquals(
                now, heartbeat.steadySince(), "the others were suspended as well, and have not had time to be heard");
        rescuer.turn();
        assertStillLeased();
    }

    @Test
    void a_clock_on_the_wall_that_is_set_back_changes_nothing() {
        Instant steadySince = heartbeat.steadySince();
        wallAhead = Duration.ofHours(-1);

        assertTrue(heartbeat.isSure());
        heartbeat.turn();
        assertEquals(steadySince, heartbeat.steadySince());
        now = now.plus(DEAD_AFTER);
        assertFalse(heartbeat.isSure(), "the steady clock still counts");
    }

    @Test
    void a_node_is_taken_for_dead_after_the_silence_that_it_told_and_not_before() {
        memory.heartbeat(OTHER.withDeadAfter(DEAD_AFTER.multipliedBy(4)));
        rescuer.turn();
        Instant last = now;
        while (memory.leasesOf(OTHER.id()).size() == 1) {
            assertTrue(Duration.between(last, now).compareTo(DEAD_AFTER.multipliedBy(5)) < 0, "it is not rescued");
            now = now.plus(heartbeat.turn());
            rescuer.turn();
        }
        assertTrue(
                Duration.between(last, now).compareTo(DEAD_AFTER.multipliedBy(4)) >= 0,
                () -> "rescued " + Duration.between(last, now) + " after its last heartbeat");
    }

    @Test
    void a_node_that_watches_a_less_patient_one_beats_as_often_as_that() {
        Duration impatient = DEAD_AFTER.dividedBy(5);
        memory.heartbeat(OTHER.withDeadAfter(impatient));
        rescuer.turn();

        assertEquals(impatient.dividedBy(3), heartbeat.turn());
        held = "heartbeat";
        heldFor = impatient.multipliedBy(2);
        heartbeat.turn();
        rescuer.turn();
        assertStillLeased();
    }

    @Test
    void what_the_storage_refuses_holds_up_nothing_but_itself() {
        IdSource ids = new IdSource(time, new Random(2));
        for (int i = 0; i < 9; i++) {
            memory.insert(List.of(new NewJob(
                    ids.nextJobId(), new Invocation("com.acme.Slip", null, "{}"), Due.NOW, JobTraits.DEFAULT)));
        }
        List<Lease> more = memory.claim(OTHER.id(), 9);
        poison = more.get(4).job().id();
        memory.leave(OTHER.id());

        while (memory.leasesOf(OTHER.id()).size() > 1) {
            now = now.plus(heartbeat.turn());
            Duration rest = rescuer.turn();
            assertTrue(rest.compareTo(Duration.ZERO) > 0, "or it would try it again and again");
        }

        assertEquals(List.of(more.get(4)), memory.leasesOf(OTHER.id()));
        assertEquals(1, memory.leasesOf(SELF.id()).size());
    }

    private void assertStillLeased() {
        assertEquals(1, memory.leasesOf(SELF.id()).size());
        assertEquals(1, memory.leasesOf(OTHER.id()).size());
    }

    /** The storage, where one call waits, once, and one job cannot be rescued. */
    private StorageProvider storage() {
        return (StorageProvider) Proxy.newProxyInstance(
                StorageProvider.class.getClassLoader(),
                new Class<?>[] {StorageProvider.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals(held)) {
                        held = "";
                        now = now.plus(heldFor);
                    }
                    if (method.getName().equals("rescue") && holdsPoison((List<?>) arguments[0])) {
                        throw new StorageException("it cannot be stored", null, false);
                    }
                    try {
                        return method.invoke(memory, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private boolean holdsPoison(List<?> endings) {
        return endings.stream()
                .anyMatch(ending -> ((Transition) ending).lease().job().id().equals(poison));
    }
}
