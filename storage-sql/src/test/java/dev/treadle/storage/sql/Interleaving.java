package dev.treadle.storage.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.contracts.storage.Jobs;
import dev.treadle.job.Failure;
import dev.treadle.job.HistoryEntry;
import dev.treadle.job.JobId;
import dev.treadle.job.NodeId;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.AttemptEnd;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.sql.keys.SqlKeys;
import dev.treadle.storage.sql.portable.DialectStatements;
import dev.treadle.storage.sql.portable.PortableStatements;
import dev.treadle.storage.sql.postgresql.PostgresStatements;
import dev.treadle.storage.sql.rows.LaneIds;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** Words for tests that hold one transaction open in the middle while another acts, on a real PostgreSQL. */
@Tag(GivenDatabase.POSTGRES)
@Timeout(120)
abstract class Interleaving {
    static final NodeId NODE = new NodeId(1);
    static final NodeId OTHER = new NodeId(2);
    static final OperatorNote BY_TEST = new OperatorNote("a test", null);
    static final int FULL = StorageProvider.BATCH_MAX;

    final HikariDataSource database = TestDatabases.postgres();
    final LaneIds lanes = new LaneIds();
    final DialectStatements verbs = isPortable() ? new PortableStatements(lanes) : new PostgresStatements(lanes);
    final SqlKeys keys = new SqlKeys(verbs, lanes);
    final Jobs jobs = new Jobs();
    private final List<OpenTransaction> open = new ArrayList<>();
    StorageProvider storage;

    /** Whether PostgreSQL does without its own fast statements. */
    boolean isPortable() {
        return false;
    }

    /** For further storages on this database. */
    final SqlStorageSettings settings() {
        return SqlStorageSettings.DEFAULT.withPortableSql(isPortable());
    }

    @BeforeEach
    final void empty() {
        storage = SqlStorageProvider.using(database, settings());
        TestDatabases.empty(database);
    }

    @AfterEach
    final void every_job_is_in_exactly_one_place() throws Exception {
        for (OpenTransaction transaction : open) {
            transaction.close();
        }
        assertEquals(List.of(), OnePlace.violations(database));
        assertEquals(List.of(), KeyCounts.violations(database));
    }

    final OpenTransaction transaction() throws SQLException {
        OpenTransaction transaction = OpenTransaction.on(database, EmptyDatabases.statements(settings()));
        open.add(transaction);
        return transaction;
    }

    final List<JobId> kept(int count) {
        List<NewJob> fresh = jobs.enqueuedJobs(count);
        storage.insert(fresh);
        return fresh.stream().map(NewJob::id).toList();
    }

    final List<JobId> due(int count) {
        List<NewJob> fresh = Stream.generate(() -> jobs.aJobDueIn(Duration.ofMillis(1)))
                .limit(count)
                .toList();
        storage.insert(fresh);
        Awaitility.await().until(() -> count("select count(*) from treadle_deferred where due_at <= now()") == count);
        return fresh.stream().map(NewJob::id).toList();
    }

    final List<Lease> claimed(int count) {
        kept(count);
        List<Lease> leases = storage.claim(NODE, count);
        assertEquals(count, leases.size());
        return leases;
    }

    final Lease claimed() {
        return claimed(1).get(0);
    }

    final void beat(NodeId node) {
        storage.heartbeat(new NodeInfo(node, "a node", "pool", 4));
    }

    /** A number that the database answers, outside all open transactions. */
    final int count(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getInt(1);
        }
    }

    final List<StateName> story(JobId id) {
        return storage.queries().find(id).orElseThrow().history().stream()
                .map(HistoryEntry::next)
                .toList();
    }

    final StateName stateOf(JobId id) {
        return storage.queries().find(id).orElseThrow().job().state().name();
    }

    /** For answers whose type the compiler would otherwise have to guess. */
    static void assertCount(int expected, int actual) {
        assertEquals(expected, actual);
    }

    static List<JobId> idsOf(List<Lease> leases) {
        return leases.stream().map(lease -> lease.job().id()).toList();
    }

    static Transition completed(Lease lease) {
        return AttemptEnd.succeeded(lease, Duration.ofMillis(5));
    }

    static Transition parked(Lease lease) {
        return AttemptEnd.parked(lease, Failure.because("NotRunnable", "unknown here"), false);
    }

    /** What a rescuer writes. */
    static Transition rescued(Lease lease) {
        Failure why = Failure.because("NodeLost", "silent");
        return AttemptEnd.rescued(lease, why, Duration.ZERO);
    }

    /** What a rescuer writes when no attempt is left. */
    static Transition failed(Lease lease) {
        return AttemptEnd.abandoned(lease, Failure.because("NodeLost", "silent"));
    }

    static Transition givenBack(Lease lease) {
        return AttemptEnd.givenBack(lease);
    }

    static List<Transition> all(List<Lease> leases, Function<Lease, Transition> ending) {
        return leases.stream().map(ending).toList();
    }
}
