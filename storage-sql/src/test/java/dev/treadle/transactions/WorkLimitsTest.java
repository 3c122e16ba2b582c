package dev.treadle.transactions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.job.JobId;
import dev.treadle.job.RetryPolicy;
import dev.treadle.job.StateName;
import dev.treadle.storage.JobTransactions;
import dev.treadle.storage.sql.Dialect;
import dev.treadle.storage.sql.EmptyDatabases;
import dev.treadle.storage.sql.SqlStorageProvider;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How long PostgreSQL and MariaDB let a transaction of a job last, and how long the storage's own. */
class WorkLimitsTest {
    private static final List<String> USUAL = List.of("5s", "8s", "50s", "60000");
    private static final List<String> LIFTED = List.of("1h", "1h", "1h", "3610000");

    private final HikariDataSource database = EmptyDatabases.of(Dialect.POSTGRESQL);

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void a_job_may_rest_in_its_transaction_for_longer_than_the_storage_may() throws Exception {
        try (WorkDatabase work = new WorkDatabase(WorkDatabase.Kind.POSTGRESQL)) {
            JobId id = work.run(job -> job.transaction(connection -> {
                WorkDatabase.effect(connection, 1);
                // longer than PostgreSQL leaves the storage's own transactions idle
                Thread.sleep(6_000);
                return WorkDatabase.effect(connection, 2);
            }));

            work.untilEnded(id, StateName.SUCCEEDED);
            assertEquals(1, work.attemptsOf(id));
            assertEquals(2, work.effects());
        }
    }

    @Test
    void connections_of_the_storage_have_other_limits_while_a_job_works() throws Exception {
        try (SqlStorageProvider storage = SqlStorageProvider.open(database.getJdbcUrl(), null, null)) {
            JobTransactions jobs = storage.jobTransactions().orElseThrow();
            try (Connection connection = jobs.dataSource().getConnection()) {
                connection.setAutoCommit(false);
                jobs.workBegins(connection);
                assertEquals(LIFTED, limits(connection));
                jobs.workEnds(connection);
                assertEquals(USUAL, limits(connection));
                connection.commit();
                jobs.workBegins(connection);
                connection.rollback();
                connection.setAutoCommit(true);
            }
            try (Connection connection = jobs.dataSource().getConnection()) {
                assertEquals(USUAL, limits(connection), "back in the pool");
            }
        }
    }

    @Test
    void limits_of_the_user_stay_and_a_pool_without_any_has_them_from_the_end_of_the_work_on() throws Exception {
        assertEquals(
                List.of("7s", "8s", "50s"),
                limitsAfterWork(EmptyDatabases.pool(
                        database.getJdbcUrl() + "&options=-c%20idle_in_transaction_session_timeout=7000")));
        assertEquals(List.of("5s", "8s", "50s"), limitsAfterWork(EmptyDatabases.pool(database.getJdbcUrl())));
    }

    @Test
    void a_job_whose_work_fails_leaves_the_limits_of_mariadb_as_they_were() throws Exception {
        try (WorkDatabase work = new WorkDatabase(WorkDatabase.Kind.MARIADB)) {
            AtomicReference<Session> during = new AtomicReference<>();
            AtomicReference<Session> after = new AtomicReference<>();
            JobId id = work.run(WorkDatabase.OWN.withRetries(RetryPolicy.NEVER), job -> {
                // the storage may close an idle connection before it is found again
                for (int tries = 0; tries < 100 && after.get() == null; tries++) {
                    assertThrows(
                            IllegalStateException.class,
                            () -> job.transaction(connection -> {
                                during.set(Session.of(connection));
                                throw new IllegalStateException("the work fails");
                            }));
                    after.set(sessionOf(work.ownPool(), during.get().connection()));
                }
                return null;
            });

            work.untilEnded(id, StateName.SUCCEEDED);

            assertEquals("3600 3600 3600", during.get().limits());
            assertEquals("5 8 50", after.get().limits());
        }
    }

    /** A session of MariaDB: the number of its connection, and its limits. */
    private record Session(long connection, String limits) {
        static Session of(Connection connection) throws SQLException {
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("select connection_id(), concat_ws(' ',"
                            + " @@idle_transaction_timeout, @@innodb_lock_wait_timeout,"
                            + " cast(@@max_statement_time as integer))")) {
                row.next();
                return new Session(row.getLong(1), row.getString(2));
            }
        }
    }

    /** Looks for a connection among all that the pool has open; null if it is not there. */
    private static Session sessionOf(DataSource pool, long connection) throws SQLException {
        int open = pool.unwrap(HikariDataSource.class).getHikariPoolMXBean().getTotalConnections();
        List<Connection> lent = new ArrayList<>();
        try {
            Session found = null;
            for (int i = 0; i < open && found == null; i++) {
                lent.add(pool.getConnection());
                Session session = Session.of(lent.get(i));
                found = session.connection() == connection ? session : null;
            }
            return found;
        } finally {
            for (Connection one : lent) {
                one.close();
            }
        }
    }

    private static List<String> limitsAfterWork(HikariDataSource pool) throws SQLException {
        try (pool;
                SqlStorageProvider storage = SqlStorageProvider.using(pool)) {
            JobTransactions jobs = storage.jobTransactions().orElseThrow();
            try (Connection connection = pool.getConnection()) {
                List<String> before = limits(connection);
                connection.setAutoCommit(false);
                jobs.workBegins(connection);
                assertEquals(before, limits(connection));
                jobs.workEnds(connection);
                List<String> after = limits(connection).subList(0, 3);
                connection.rollback();
                assertEquals(before, limits(connection));
                connection.setAutoCommit(true);
                return after;
            }
        }
    }

    private static List<String> limits(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select current_setting('idle_in_transaction_session_timeout'),"
                        + " current_setting('lock_timeout'), current_setting('statement_timeout')")) {
            row.next();
            return List.of(
                    row.getString(1),
                    row.getString(2),
                    row.getString(3),
                    String.valueOf(connection.getNetworkTimeout()));
        }
    }
}
