package dev.treadle.storage.sql;

import dev.treadle.storage.StorageException;
import dev.treadle.storage.sql.portable.Notifier;
import dev.treadle.storage.sql.session.LentConnection;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import dev.treadle.storage.sql.session.StatementTexts;
import dev.treadle.storage.sql.session.Transactions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Whether a connection of a caller leads to the database and the tables of a storage. Thread-safe. */
final class CallerDatabase {
    private final StatementTexts statements;
    private final Transactions own;
    /** Most wrappers around a connection of the driver. */
    private static final int WRAPPERS_MAX = 10;

    /** Those of the driver that were looked at, so that each is asked once. */
    private final Map<Connection, Boolean> known = Collections.synchronizedMap(new WeakHashMap<>());

    private volatile @Nullable String identity;

    CallerDatabase(StatementTexts statements, Transactions own) {
        this.statements = statements;
        this.own = own;
    }

    /**
     * @throws IllegalArgumentException if it leads elsewhere, or has no transaction that may write
     * @throws StorageException         if that could not be found out
     */
    void check(Connection connection) {
        try {
            LentConnection.mustBeInTransaction(connection);
            Connection physical = unwrapped(connection);
            if (known.containsKey(physical)) {
                return;
            }
            String found = identityOn(connection);
            if (!found.equals(mine())) {
                throw new IllegalArgumentException("The connection leads to another database, or to other tables of"
                        + " Treadle, than the storage: its jobs would be run by nobody here. Give a connection of the"
                        + " storage's database.");
            }
            known.put(physical, true);
        } catch (SQLException e) {
            throw new StorageException("The connection could not be looked at: " + e.getMessage(), e, true);
        }
    }

    /**
     * Runs calls in the transaction of a connection.
     *
     * @param afterCommit takes what to do after the commit; null if nobody knows when it comes, and it is announced then
     * @throws IllegalArgumentException as {@link #check}
     */
    LentConnection lent(Connection connection, @Nullable Consumer<Runnable> afterCommit, Notifier notifier) {
        check(connection);
        LentConnection.Commit commit = new LentConnection.Commit(afterCommit, session -> {
            notifier.withCommit(session);
            return null;
        });
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

    private String mine() {
        String mine = identity;
        if (mine == null) {
            mine = own.statement("look which database this is", true, CallerDatabase::read);
            identity = mine;
        }
        return mine;
    }

    /** Within a savepoint: where the tables are not there, the question fails, and the transaction must go on. */
    private String identityOn(Connection connection) throws SQLException {
        var before = connection.setSavepoint();
        try {
            String found = read(new Session(connection, statements));
            connection.releaseSavepoint(before);
            return found;
        } catch (SQLException e) {
            connection.rollback(before);
            throw new IllegalArgumentException(
                    "The connection does not see Treadle's tables (" + e.getMessage() + "). Give a connection of the"
                            + " storage's database. If the tables are in a schema of their own, name it with"
                            + " SqlStorageSettings.withSchemaName.",
                    e);
        }
    }

    /** The moments in which the tables were made are not the same in two databases. */
    private static String read(Session session) throws SQLException {
        StringBuilder identity = new StringBuilder();
        try (PreparedStatement select = session.prepare(SqlStatement.IDENTITY);
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
