package dev.treadle.storage.sql;

import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.StatementTexts;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.awaitility.Awaitility;

/**
 * A PostgreSQL transaction that a test leaves open between statements, on a connection and a thread of its own, so that
 * others can act while it is in the middle.
 */
public final class OpenTransaction implements AutoCloseable {
    /** Longer than any statement here takes on a busy machine: what has not answered then waits for a lock. */
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final DataSource database;
    private final StatementTexts statements;
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final Connection connection;
    private final int pid;
    private Future<?> last = CompletableFuture.completedFuture(null);

    private OpenTransaction(DataSource database, StatementTexts statements) throws SQLException {
        this.database = database;
        this.statements = statements;
        this.connection = database.getConnection();
        connection.setAutoCommit(false);
        this.pid = number("select pg_backend_pid()");
    }

    static OpenTransaction on(DataSource database, StatementTexts statements) throws SQLException {
        return new OpenTransaction(database, statements);
    }

    /** Does something that waits for nobody, and leaves the transaction open. */
    <T> T does(Session.Work<T> work) throws Exception {
        return answer(begins(work));
    }

    /** Begins something that may wait for another transaction. */
    <T> Future<T> begins(Session.Work<T> work) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        thread.execute(() -> {
            try {
                answer.complete(work.in(new Session(connection, statements)));
            } catch (Throwable failed) {
                answer.completeExceptionally(failed);
            }
        });
        last = answer;
        return answer;
    }

    /** Begins something that must wait for another transaction, and returns when it does. */
    <T> Future<T> waitsToDo(Session.Work<T> work) {
        Future<T> answer = begins(work);
        untilItWaits(database, pid);
        return answer;
    }

    void execute(String sql) throws Exception {
        does(session -> {
            try (Statement statement = connection.createStatement()) {
                return statement.execute(sql);
            }
        });
    }

    void commit() throws Exception {
        does(session -> {
            connection.commit();
            return true;
        });
    }

    /** The database ends this connection as if the process had died. */
    void isKilled() throws SQLException {
        try (Connection other = database.getConnection();
                PreparedStatement kill = other.prepareStatement("select pg_terminate_backend(?, 20000)")) {
            kill.setInt(1, pid);
            kill.execute();
        }
    }

    /** The answer of what may have had to wait. */
    static <T> T answer(Future<T> future) throws Exception {
        return future.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    /** Returns when some connection of this database waits for a lock. */
    static void untilSomeoneWaits(DataSource database) {
        until(
                database,
                "select count(*) from pg_stat_activity where datname = current_database()"
                        + " and cardinality(pg_blocking_pids(pid)) > 0");
    }

    /** Returns when some connection of an application waits for a lock. */
    static void untilSomeoneWaits(DataSource database, String application) {
        until(
                database,
                "select count(*) from pg_stat_activity where cardinality(pg_blocking_pids(pid)) > 0"
                        + " and application_name = '" + application + "'");
    }

    private static void untilItWaits(DataSource database, int pid) {
        until(database, "select cardinality(pg_blocking_pids(" + pid + "))");
    }

    /** Returns when a count is not zero. */
    public static void until(DataSource database, String countSql) {
        Awaitility.await().atMost(LIMIT).pollInterval(Duration.ofMillis(10)).until(() -> {
            try (Connection connection = database.getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(countSql)) {
                row.next();
                return row.getInt(1) > 0;
            }
        });
    }

    private int number(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getInt(1);
        }
    }

    /** Rolls back what was not committed. */
    @Override
    public void close() throws SQLException {
        thread.shutdown();
        if (connection.isClosed()) {
            return;
        }
        try (connection) {
            if (!last.isDone()) {
                isKilled();
            } else {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        }
    }
}
