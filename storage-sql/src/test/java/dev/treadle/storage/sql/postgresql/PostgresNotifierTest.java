package dev.treadle.storage.sql.postgresql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.contracts.storage.Jobs;
import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;
import dev.treadle.storage.DueListener;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.sql.Dialect;
import dev.treadle.storage.sql.EmptyDatabases;
import dev.treadle.storage.sql.Heard;
import dev.treadle.storage.sql.SqlStorageProvider;
import dev.treadle.storage.sql.SqlStorageSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.PGConnection;

/** Two processes on one PostgreSQL, as far as the storage is concerned: one hears of what the other has kept. */
@Timeout(120)
class PostgresNotifierTest {
    private static final NodeInfo NODE = new NodeInfo(new NodeId(1), "there", "pool", 16);

    private final HikariDataSource enqueuing = EmptyDatabases.of(Dialect.POSTGRESQL);
    private final HikariDataSource serving = EmptyDatabases.pool(enqueuing.getJdbcUrl());
    private final Jobs jobs = new Jobs();
    private final AtomicInteger heard = new AtomicInteger();
    private StorageProvider here;
    private StorageProvider there;
    private final Heard node = new Heard(heard);
    private Runnable hearNoMore;

    @BeforeEach
    void open() {
        here = SqlStorageProvider.using(enqueuing);
        there = SqlStorageProvider.using(serving);
        there.heartbeat(NODE);
        hearNoMore = there.notifications().listen(NODE.id(), node);
        // it listens
        awaitMoreThan(0);
    }

    @AfterEach
    void close() {
        hearNoMore.run();
        here.close();
        there.close();
        enqueuing.close();
        serving.close();
    }

    @Test
    void every_enqueue_is_heard_of_after_a_quiet_time_and_in_the_middle_of_others() {
        for (int millis : List.of(50, 0, 0, 1, 3, 50, 0, 30, 1, 0)) {
            LockSupport.parkNanos(millis * 1_000_000L);
            int before = heard.get();
            here.insert(List.of(jobs.anEnqueuedJob()));
            awaitMoreThan(before);
        }
    }

    @Test
    void a_ring_tells_its_takers_for_how_many_jobs_each_has_workers_and_the_second_to_look_later() {
        Heard small = new Heard(new AtomicInteger());
        Heard large = new Heard(new AtomicInteger());
        Heard third = new Heard(new AtomicInteger());
        there.leave(NODE.id());
        List<Runnable> ends = List.of(joins(2, 2, small), joins(3, 4, large), joins(4, 4, third));
        try {
            here.insert(jobs.enqueuedJobs(6));
            List<Heard> all = List.of(small, large, third);
            // any two have workers for six
            Awaitility.await().until(() -> shares(all).size() == 2);
            assertEquals(List.of(2, 4), shares(all));
            Heard second =
                    all.stream().filter(one -> one.shares.isEmpty()).findAny().orElseThrow();
            Awaitility.await().until(() -> second.rests.contains(Duration.ofMillis(Listeners.SECOND_MILLIS)));
        } finally {
            ends.forEach(Runnable::run);
        }
    }

    @Test
    void takers_are_told_of_no_number_where_they_have_not_the_workers_for_all() {
        here.insert(jobs.enqueuedJobs(NODE.workers() + 1));
        Awaitility.await().until(() -> !node.shares.isEmpty());
        assertEquals(List.of(DueListener.ANY_NUMBER), List.copyOf(node.shares));
    }

    @Test
    void the_last_of_many_at_once_is_heard_of() throws InterruptedException {
        List<Thread> threads = List.of(many(), many(), many(), many());
        for (Thread thread : threads) {
            thread.join();
        }
        int before = heard.get();
        here.insert(List.of(jobs.anEnqueuedJob()));
        awaitMoreThan(before);
    }

    @Test
    void what_was_kept_while_the_hearer_had_lost_its_connection_is_told_of_when_it_has_another() {
        EmptyDatabases.execute(
                enqueuing,
                "select pg_terminate_backend(pid, 20000) from pg_stat_activity"
                        + " where datname = current_database() and (query like 'listen%' or query = 'show transaction_read_only')");
        int before = heard.get();
        here.insert(List.of(jobs.anEnqueuedJob()));
        awaitMoreThan(before);
    }

    @Test
    void a_failure_of_any_kind_leaves_no_process_deaf() {
        AtomicInteger told = new AtomicInteger();
        NodeInfo other = new NodeInfo(new NodeId(NODE.id().value() + 1), "fails", "pool", 1);
        // the only one that is there to be told
        there.leave(NODE.id());
        there.heartbeat(other);
        Runnable end = there.notifications().listen(other.id(), new FailsTwice(told));
        try {
            for (int round = 0; round < 5; round++) {
                int before = told.get();
                here.insert(List.of(jobs.anEnqueuedJob()));
                Awaitility.await().until(() -> told.get() > before);
            }
        } finally {
            end.run();
        }
    }

    @Test
    void a_storage_without_notifications_is_silent() throws InterruptedException {
        try (StorageProvider silent =
                SqlStorageProvider.using(enqueuing, SqlStorageSettings.DEFAULT.withNotifications(false))) {
            int before = heard.get();
            silent.insert(List.of(jobs.anEnqueuedJob()));
            // there is no event to wait for; longer than a ring takes
            Thread.sleep(300);
            assertEquals(before, heard.get());
        }
    }

    @Test
    void nobody_rings_for_a_process_that_has_left_and_soon_again_for_one_that_came() throws SQLException {
        try (Connection ear = serving.getConnection();
                Statement listen = ear.createStatement()) {
            listen.execute("listen treadle_due");
            PGConnection postgres = ear.unwrap(PGConnection.class);
            there.leave(NODE.id());
            Awaitility.await().until(() -> !isRungFor(postgres));
            there.heartbeat(NODE);
            Awaitility.await().until(() -> isRungFor(postgres));
        }
    }

    @Test
    void nobody_rings_for_the_own_process_which_is_told_directly() throws SQLException {
        there.leave(NODE.id());
        here.heartbeat(NODE);
        AtomicInteger told = new AtomicInteger();
        Runnable end = here.notifications().listen(NODE.id(), new Heard(told));
        try (Connection ear = serving.getConnection();
                Statement listen = ear.createStatement()) {
            listen.execute("listen treadle_due");
            PGConnection postgres = ear.unwrap(PGConnection.class);
            Awaitility.await().until(() -> !isRungFor(postgres));
            int before = told.get();
            here.insert(List.of(jobs.anEnqueuedJob()));
            assertTrue(told.get() > before);
        } finally {
            end.run();
        }
    }

    private Runnable joins(int id, int workers, Heard told) {
        NodeInfo info = new NodeInfo(new NodeId(id), "n" + id, "pool", workers);
        there.heartbeat(info);
        return there.notifications().listen(info.id(), told);
    }

    private static List<Integer> shares(List<Heard> all) {
        return all.stream().flatMap(one -> one.shares.stream()).sorted().toList();
    }

    /** Keeps a job and listens for longer than a ring takes. */
    private boolean isRungFor(PGConnection ear) throws SQLException {
        here.insert(List.of(jobs.anEnqueuedJob()));
        return ear.getNotifications(300).length > 0;
    }

    private Thread many() {
        Thread thread = new Thread(() -> {
            for (int i = 0; i < 50; i++) {
                here.insert(List.of(jobs.anEnqueuedJob()));
            }
        });
        thread.start();
        return thread;
    }

    private void awaitMoreThan(int before) {
        Awaitility.await().until(() -> heard.get() > before);
    }

    private record FailsTwice(AtomicInteger told) implements DueListener {
        @Override
        public int room(@Nullable Lane lane) {
            return 1;
        }

        @Override
        public void due(@Nullable Lane lane, int jobs) {
            fail();
        }

        @Override
        public void lookWithin(Duration rest) {
            fail();
        }

        @Override
        public void dueIn(Duration delay) {}

        private void fail() {
            if (told.incrementAndGet() <= 2) {
                throw new LinkageError("on purpose");
            }
        }
    }
}
