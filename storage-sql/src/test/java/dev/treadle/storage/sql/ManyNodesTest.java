package dev.treadle.storage.sql;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.Treadle;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobRequest;
import dev.treadle.server.JobServerSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many nodes on one PostgreSQL, each with a storage of its own as in a process of its own: what they ask while there is
 * nothing to do, and how many of them a ring wakes. Counts, and no speeds.
 */
@Timeout(600)
class ManyNodesTest {
    private static final int NODES = Integer.getInteger("treadle.nodes", 8);
    private static final int IDLE_SECONDS = Integer.getInteger("treadle.nodes.idle", 5);
    private static final int JOBS = Integer.getInteger("treadle.nodes.jobs", 60);

    private final HikariDataSource pool = pool();
    private final List<SqlStorageProvider> storages = new ArrayList<>();
    private final List<Treadle> nodes = new ArrayList<>();
    private final CountedStatements counted = new CountedStatements();
    private final AtomicInteger ran = new AtomicInteger();

    record Work(int number) implements JobRequest<Void> {}

    private static HikariDataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(System.getProperty("treadle.nodes.url", EmptyDatabases.postgresUrl()));
        // one to hear with for each node
        config.setMaximumPoolSize(2 * NODES + 10);
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

    @Test
    void a_ring_wakes_those_who_take_the_jobs_and_not_all() {
        start();
        awaitQuiet();
        try (SqlStorageProvider client = SqlStorageProvider.using(counted.of(pool))) {
            Treadle enqueuer = Treadle.on(client).handler(Work.class, this::run).enqueueOnly();
            Map<String, Long> before = counted.all();
            for (int number = 1; number <= JOBS; number++) {
                enqueuer.jobs().enqueue(new Work(number));
                int expected = number;
                Awaitility.await().pollInterval(Duration.ofMillis(2)).until(() -> ran.get() >= expected);
                // with and without a ring in the statement that keeps it
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(40_000_000L));
            }
            Awaitility.await().until(() -> ran.get() == JOBS);
            Map<String, Long> asked = since(before);
            long claims = asked.getOrDefault(Verb.CLAIM.name(), 0L);
            long found = claimsThatFound();
            System.out.println(NODES + " nodes: " + claims + " claims, " + found + " of which found jobs: " + asked);
            assertTrue(claims < 1.5 * found, () -> claims + " claims, and " + found + " found jobs: " + asked);
        }
    }

    private Void run(Work work, JobContext job) {
        ran.incrementAndGet();
        return null;
    }

    private void start() {
        for (int i = 0; i < NODES; i++) {
            SqlStorageProvider storage = SqlStorageProvider.using(counted.of(pool));
            storages.add(storage);
            nodes.add(Treadle.on(storage)
                    .handler(Work.class, this::run)
                    .settings(JobServerSettings.DEFAULT.withWorkers(2))
                    .start());
        }
    }

    /** All hear, and have looked since. */
    private void awaitQuiet() {
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .until(() -> storages.stream().allMatch(SqlStorageProvider::tellsWhatIsDue));
        long looks = counted.of(Verb.OUTLOOK);
        Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> counted.of(Verb.OUTLOOK) >= looks + 2L * NODES);
    }

    private Map<String, Long> since(Map<String, Long> before) {
        Map<String, Long> since = new TreeMap<>(counted.all());
        before.forEach((text, count) -> since.merge(text, -count, Long::sum));
        since.values().removeIf(count -> count == 0);
        return since;
    }

    /** Each claim gives its jobs a token of its own. */
    private long claimsThatFound() {
        try (var connection = pool.getConnection();
                var statement = connection.createStatement();
                var row = statement.executeQuery("select count(distinct token) from treadle_history")) {
            row.next();
            return row.getLong(1);
        } catch (java.sql.SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
