package dev.treadle.storage.sql;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.Treadle;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobRequest;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.sql.postgresql.PostgresNotifier;
import dev.treadle.storage.sql.session.SqlStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many nodes on one PostgreSQL, each with a storage of its own as in a process of its own: what they ask and hold while
 * there is nothing to do, and how many of them a notification wakes. Counts, and no speeds. With -Dtreadle.nodes=100 a
 * hundred of them.
 */
@Timeout(600)
class ManyNodesTest {
    private static final int NODES = Integer.getInteger("treadle.nodes", 8);
    private static final int IDLE_SECONDS = Integer.getInteger("treadle.nodes.idle", 5);
    private static final int JOBS = Integer.getInteger("treadle.nodes.jobs", 60);

    private static final String APPLICATION = "many-nodes-";
    private static final List<Integer> BURSTS = List.of(2, 3, 5);
    private static final List<Integer> RATES = List.of(20, 100, 400);
    /** After so long the next job's statement rings itself. */
    private static final long QUIET_NANOS = (PostgresNotifier.QUIET_MILLIS + 10) * 1_000_000;

    private final HikariDataSource pool = pool();
    private final List<SqlStorageProvider> storages = new ArrayList<>();
    private final List<Treadle> nodes = new ArrayList<>();
    private final CountedStatements counted = new CountedStatements();
    private final AtomicInteger ran = new AtomicInteger();

    public record Work(int number) implements JobRequest<Void> {}

    private static HikariDataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(System.getProperty("treadle.nodes.url", EmptyDatabases.postgresUrl()));
        // three set aside for each node, and some for all else
        config.setMaximumPoolSize(3 * NODES + NODES / 2 + 20);
        config.setMinimumIdle(0);
        return new HikariDataSource(config);
    }

    @AfterEach
    void close() {
        nodes.forEach(Treadle::close);
        storages.forEach(SqlStorageProvider::close);
        pool.close();
    }

    @Test
    void a_node_that_has_nothing_to_do_asks_less_than_twice_in_a_second() {
        start();
        awaitQuiet();
        Map<String, Long> before = counted.all();
        long began = System.nanoTime();
        LockSupport.parkNanos(IDLE_SECONDS * 1_000_000_000L);
        Map<String, Long> asked = since(before);
        double seconds = (System.nanoTime() - began) / 1e9;

        double each = asked.values().stream().mapToLong(Long::longValue).sum() / seconds / NODES;
        assertTrue(each < 2, () -> each + " statements in a second by each of " + NODES + ": " + asked);
        System.out.println("idle, " + NODES + " nodes: " + each + " statements in a second each: " + asked);
    }

    /** Each with a pool of its own, as in processes of their own. */
    @Test
    void a_node_that_has_nothing_to_do_holds_three_connections() {
        String url = EmptyDatabases.postgresUrl();
        for (int i = 0; i < NODES; i++) {
            start(SqlStorageProvider.open(
                    url + "&ApplicationName=" + APPLICATION + i, null, null, SqlStorageSettings.DEFAULT));
        }
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .until(() ->
                        storages.stream().allMatch(one -> one.notifications().areComplete()));
        Awaitility.await("what the start has opened is closed")
                .atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(500))
                .until(() -> connections() <= 3L * NODES);

        List<Long> samples = new ArrayList<>();
        for (int i = 0; i < 2 * IDLE_SECONDS; i++) {
            LockSupport.parkNanos(500_000_000L);
            samples.add(connections());
        }
        // a statement that waits for another may borrow one more for a while, so the median counts
        double held = samples.stream().sorted().toList().get(samples.size() / 2) / (double) NODES;
        System.out.println("idle, " + NODES + " nodes: " + held + " connections each; in all " + samples);
        assertTrue(held <= 3, () -> "an idle node holds " + held + " connections: " + samples);
        assertTrue(held >= 2, () -> "one to listen and one to ask with are missing: " + samples);
    }

    private long connections() {
        return count("select count(*) from pg_stat_activity where application_name like '" + APPLICATION + "%'");
    }

    @Test
    void a_ring_wakes_those_who_take_the_jobs_and_not_all() {
        start();
        awaitQuiet();
        // with and without a ring in the statement that keeps it
        enqueue("one by one", done -> {
            awaitRun(done);
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(40_000_000L));
        });
    }

    @Test
    void the_rings_of_a_burst_wake_those_who_take_its_jobs_and_not_more() {
        start();
        awaitQuiet();
        for (int burst : BURSTS) {
            enqueue(burst + " back to back", done -> {
                if (done % burst == 0) {
                    awaitRun(done);
                    LockSupport.parkNanos(QUIET_NANOS);
                }
            });
        }
        for (int rate : RATES) {
            enqueue(rate + " in a second", done -> LockSupport.parkNanos(1_000_000_000L / rate));
        }
    }

    /** @param pace what follows each of the jobs */
    private void enqueue(String how, IntConsumer pace) {
        long foundBefore = claimsThatFound();
        int start = ran.get();
        Map<String, Long> before = counted.all();
        try (SqlStorageProvider client = SqlStorageProvider.using(counted.of(pool))) {
            Treadle enqueuer = Treadle.on(client).handler(Work.class, this::run).enqueueOnly();
            for (int number = 1; number <= JOBS; number++) {
                enqueuer.jobs().enqueue(new Work(start + number));
                pace.accept(start + number);
            }
            awaitRun(start + JOBS);
            Awaitility.await().until(() -> count("select count(*) from treadle_history") == start + JOBS);
            Map<String, Long> asked = since(before);
            long claims = asked.getOrDefault(SqlStatement.CLAIM.name(), 0L);
            long found = claimsThatFound() - foundBefore;
            System.out.println(NODES + " nodes, " + how + ": " + claims + " claims, " + found + " of which found jobs ("
                    + claims / (double) found + " each), for " + JOBS + ": " + asked);
            assertTrue(claims < 1.5 * found, () -> how + ": " + claims + " claims, " + found + " found jobs: " + asked);
        }
    }

    private void awaitRun(int jobs) {
        Awaitility.await().pollInterval(Duration.ofMillis(2)).until(() -> ran.get() >= jobs);
    }

    private Void run(Work work, JobContext job) {
        ran.incrementAndGet();
        return null;
    }

    private void start() {
        for (int i = 0; i < NODES; i++) {
            start(SqlStorageProvider.using(counted.of(pool)));
        }
    }

    private void start(SqlStorageProvider storage) {
        storages.add(storage);
        nodes.add(Treadle.on(storage)
                .handler(Work.class, this::run)
                .settings(JobServerSettings.DEFAULT.withWorkers(2))
                .start());
    }

    /** All hear, and have looked since. */
    private void awaitQuiet() {
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .until(() ->
                        storages.stream().allMatch(one -> one.notifications().areComplete()));
        long looks = counted.of(SqlStatement.OUTLOOK);
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .until(() -> counted.of(SqlStatement.OUTLOOK) >= looks + 2L * NODES);
    }

    private Map<String, Long> since(Map<String, Long> before) {
        Map<String, Long> since = new TreeMap<>(counted.all());
        before.forEach((text, count) -> since.merge(text, -count, Long::sum));
        since.values().removeIf(count -> count == 0);
        return since;
    }

    /** Each claim gives its jobs a token of its own. */
    private long claimsThatFound() {
        return count("select count(distinct token) from treadle_history");
    }

    private long count(String query) {
        try (var connection = pool.getConnection();
                var statement = connection.createStatement();
                var row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        } catch (java.sql.SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
