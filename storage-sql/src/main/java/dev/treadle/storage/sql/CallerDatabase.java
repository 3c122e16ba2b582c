package dev.treadle.storage.sql;

import dev.treadle.storage.sql.jobs.CommitNotifier;
import dev.treadle.storage.sql.session.CallSavepoint;
import dev.treadle.storage.sql.session.LentConnection;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlFailure;
import dev.treadle.storage.sql.session.SqlStatement;
import dev.treadle.storage.sql.session.StatementTexts;
import dev.treadle.storage.sql.session.Transactions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Whether a connection of a caller leads to the database and the tables of a storage. Thread-safe. */
final class CallerDatabase {
    /** SQL states: a table or a schema is not there, or may not be read. */
    private static final Set<String> NOT_THERE = Set.of("42", "3F", "90079");
    /** Most wrappers around a connection of the driver. */
    private static final int WRAPPERS_MAX = 10;

    private final StatementTexts statements;
    private final Transactions own;

    /** Those of the driver that were looked at, so that each is asked once. */
    private final Map<Connection, Boolean> known = Collections.synchronizedMap(new WeakHashMap<>());

    private final String mine;

    /** @param first leads to the storage; asked now, because later all connections may be with transactions of callers */
    CallerDatabase(StatementTexts statements, Transactions own, Connection first) throws SQLException {
        this.statements = statements;
        this.own = own;
        this.mine = read(new Session(first, statements));
    }

    /**
     * @throws IllegalArgumentException if it leads elsewhere, or has no transaction that may write
     * @throws dev.treadle.storage.StorageException if that could not be found out
     */
    void check(Connection connection) {
        try {
            LentConnection.mustBeInTransaction(connection);
            Connection physical = unwrapped(connection);
            if (known.containsKey(physical)) {
                return;
            }
            String found = identityOn(connection);
            if (!found.equals(mine)) {
                throw new IllegalArgumentException("The connection leads to another database, or to other tables of"
                        + " Treadle, than the storage: no server here would run its jobs. Give a connection of the"
                        + " storage's database.");
            }
            known.put(physical, true);
        } catch (SQLException e) {
            throw LentConnection.failed("look where the connection leads", e);
        }
    }

    /**
     * Runs calls in the transaction of a connection.
     *
     * @param afterCommit takes what to do after the commit; null if the commit is not reported, and it is announced then
     * @throws IllegalArgumentException as {@link #check}
     */
    LentConnection lent(Connection connection, @Nullable Consumer<Runnable> afterCommit, CommitNotifier news) {
        check(connection);
        LentConnection.Commit commit =
                new LentConnection.Commit(afterCommit, session -> news.announce(session, afterCommit != null));
        return new LentConnection(connection, statements, own, commit);
    }

    /** A pool wraps the same connection anew each time it is borrowed. */
    private static Connection unwrapped(Connection connection) throws SQLException {
        Connection inner = connection;
        for (int depth = 0; depth < WRAPPERS_MAX && inner.isWrapperFor(Connection.class); depth++) {
            Connection next = inner.unwrap(Connection.class);
            if (next == inner) {
                return inner;
            }
            inner = next;
        }
        return inner;
    }

    /** Within a savepoint: where the tables are not there, the question fails, and the transaction must go on. */
    private String identityOn(Connection connection) throws SQLException {
        CallSavepoint before = CallSavepoint.on(connection);
        try {
            String found = read(new Session(connection, statements));
            before.release();
            return found;
        } catch (SQLException e) {
            undo(before, e);
            String state = String.valueOf(e.getSQLState());
            if (NOT_THERE.stream().noneMatch(state::startsWith)) {
                throw e;
            }
            throw new IllegalArgumentException(
                    "The connection does not see Treadle's tables (" + SqlFailure.said(e)
                            + "). Give a connection of the"
                            + " storage's database. If the tables are in a schema of their own, name it with"
                            + " SqlStorageSettings.withSchemaName.",
                    e);
        }
    }

    private static void undo(CallSavepoint before, SQLException why) {
        try {
            before.rollBack();
        } catch (SQLException undoing) {
            // of a broken connection
            why.addSuppressed(undoing);
        }
    }

    /** The moments in which the tables were made are not the same in two databases. */
    private static String read(Session session) throws SQLException {
        StringBuilder identity = new StringBuilder();
        try (NamedStatement select = session.statement(SqlStatement.IDENTITY);
                ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                identity.append(rows.getString(1))
                        .append(' ')
                        .append(rows.getObject(2))
                        .append('\n');
            }
        }
        return session.connection().getCatalog() + "\n" + identity;
    }
}
