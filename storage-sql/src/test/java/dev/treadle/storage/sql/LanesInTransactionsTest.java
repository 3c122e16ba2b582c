package dev.treadle.storage.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.Treadle;
import dev.treadle.api.JobOptions;
import dev.treadle.job.JobRequest;
import dev.treadle.job.StateName;
import dev.treadle.storage.admin.AdminStorage;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Enqueues in transactions of the application that hold all connections that there are. */
@ParameterizedClass
@EnumSource(Dialect.class)
@Timeout(120)
class LanesInTransactionsTest {
    /** Whoever notifies others keeps a connection. */
    private static final SqlStorageSettings SETTINGS = SqlStorageSettings.DEFAULT.withNotifications(false);

    private static final JobOptions SLIPS = JobOptions.DEFAULT.withQueue("slips");

    private final HikariDataSource database;

    record Slip(int number) implements JobRequest<Void> {}

    LanesInTransactionsTest(Dialect dialect) {
        database = EmptyDatabases.of(dialect);
        // who waits for a connection here waits in vain
        database.setConnectionTimeout(2_000);
    }

    @AfterEach
    void close() {
        database.close();
    }

    /** As after each start of a process, while requests come in. */
    @Test
    void no_second_connection_is_needed_for_a_queue_that_this_process_uses_for_the_first_time() throws Exception {
        try (Treadle before =
                Treadle.on(SqlStorageProvider.using(database, SETTINGS)).enqueueOnly()) {
            before.jobs().with(SLIPS).enqueue(new Slip(0));
        }
        List<Connection> held = new ArrayList<>();
        try (Treadle treadle =
                Treadle.on(SqlStorageProvider.using(database, SETTINGS)).enqueueOnly()) {
            try {
                for (int n = 1; n <= EmptyDatabases.CONNECTIONS_MAX; n++) {
                    Connection connection = database.getConnection();
                    held.add(connection);
                    connection.setAutoCommit(false);
                }
                for (Connection connection : held) {
                    treadle.jobs().in(connection).with(SLIPS).enqueue(new Slip(held.indexOf(connection)));
                    connection.commit();
                }
            } finally {
                for (Connection connection : held) {
                    connection.close();
                }
            }
            assertEquals(
                    1L + EmptyDatabases.CONNECTIONS_MAX,
                    ((AdminStorage) treadle.storage()).search().counts().get(StateName.ENQUEUED));
        }
    }
}
