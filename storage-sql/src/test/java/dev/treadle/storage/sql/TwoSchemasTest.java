package dev.treadle.storage.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.contracts.storage.Jobs;
import dev.treadle.job.JobId;
import dev.treadle.job.NodeId;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.AttemptEnd;
import dev.treadle.lifecycle.Lease;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.NodeInfo;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Two Treadles in two schemas of one database, and a third where the connections lead. */
@ParameterizedClass
@EnumSource(Dialect.class)
class TwoSchemasTest {
    private static final NodeId NODE = new NodeId(7);

    private final Dialect dialect;
    private final HikariDataSource database;
    private final SqlStorageProvider one;
    private final SqlStorageProvider other;

    TwoSchemasTest(Dialect dialect) {
        this.dialect = dialect;
        this.database = EmptyDatabases.of(dialect);
        EmptyDatabases.dropSchemas(dialect, database, "first_one", "second_one");
        this.one = SqlStorageProvider.using(database, SqlStorageSettings.DEFAULT.withSchemaName("first_one"));
        this.other = SqlStorageProvider.using(database, SqlStorageSettings.DEFAULT.withSchemaName("second_one"));
    }

    @AfterEach
    void close() {
        one.close();
        other.close();
        database.close();
    }

    @Test
    void neither_sees_the_jobs_of_the_other() {
        Jobs jobs = new Jobs();
        NewJob job = jobs.anEnqueuedJob();
        JobId id = job.id();
        one.insert(List.of(job));

        assertEquals(List.of(), other.claim(NODE, 10));
        assertEquals(Map.of(), other.queries().states(List.of(id)));
        assertEquals(0, other.search().counts().get(StateName.ENQUEUED));
        other.insert(List.of(job));
        assertEquals(1, other.search().counts().get(StateName.ENQUEUED));

        Lease lease = one.claim(NODE, 10).get(0);
        assertEquals(
                List.of(WriteResult.WRITTEN), one.record(List.of(AttemptEnd.succeeded(lease, Duration.ofMillis(3)))));
        one.tidy();
        assertEquals(StateName.SUCCEEDED, one.queries().states(List.of(id)).get(id));
        assertEquals(StateName.ENQUEUED, other.queries().states(List.of(id)).get(id));
    }

    @Test
    void nothing_is_left_in_the_schema_of_the_connections() throws SQLException {
        try (var connection = database.getConnection();
                var tables = connection
                        .getMetaData()
                        .getTables(connection.getCatalog(), null, "%", new String[] {"TABLE", "BASE TABLE"})) {
            while (tables.next()) {
                if (tables.getString("TABLE_NAME").toLowerCase(Locale.ROOT).startsWith("treadle_")) {
                    // on MariaDB, a schema is a database, and the driver calls it a catalog
                    String schema = tables.getString(dialect == Dialect.MARIADB ? "TABLE_CAT" : "TABLE_SCHEM");
                    assertTrue(schema.toLowerCase(Locale.ROOT).endsWith("_one"));
                }
            }
        }
    }

    @Test
    void notifications_stay_in_their_schema() {
        if (dialect != Dialect.POSTGRESQL) {
            return;
        }
        AtomicInteger here = new AtomicInteger();
        AtomicInteger there = new AtomicInteger();
        one.heartbeat(new NodeInfo(NODE, "here", "pool", 16));
        other.heartbeat(new NodeInfo(NODE, "there", "pool", 16));
        Runnable end = one.notifications().listen(NODE, new Heard(here));
        Runnable otherEnd = other.notifications().listen(NODE, new Heard(there));
        try (var anotherProcess =
                SqlStorageProvider.using(database, SqlStorageSettings.DEFAULT.withSchemaName("first_one"))) {
            // each is told once to look when its connection listens
            Awaitility.await().until(() -> here.get() > 0 && there.get() > 0);
            int before = here.get();
            int beforeThere = there.get();

            anotherProcess.insert(List.of(new Jobs().anEnqueuedJob()));

            Awaitility.await().until(() -> here.get() > before);
            assertEquals(beforeThere, there.get());
        } finally {
            end.run();
            otherEnd.run();
        }
    }

    @Test
    void a_name_that_would_have_to_be_quoted_is_refused() {
        for (String name : List.of("", "My Schema", "a-b", "1st", "x".repeat(49), "a;drop")) {
            String message = assertThrows(
                            IllegalArgumentException.class, () -> SqlStorageSettings.DEFAULT.withSchemaName(name))
                    .getMessage();
            assertTrue(message.startsWith("The name of the schema is '" + name + "'"), message);
        }
    }
}
