package dev.treadle.storage.sql.session;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** One connection for the length of one call, and the statements to send on it. Used by one thread. */
public final class Session {
    private final Connection connection;
    private final StatementTexts statements;

    /** The statement that each transaction begins with; null if it needs none. */
    private final @Nullable String atBegin;

    /** Whether a caller ends the transaction, perhaps long after this call. */
    private final boolean isOfCaller;

    public Session(Connection connection, StatementTexts statements) {
        this(connection, statements, null);
    }

    public Session(Connection connection, StatementTexts statements, @Nullable String atBegin) {
        this(connection, statements, atBegin, false);
    }

    private Session(Connection connection, StatementTexts statements, @Nullable String atBegin, boolean isOfCaller) {
        this.connection = statements.adapted(connection);
        this.statements = statements;
        this.atBegin = atBegin;
        this.isOfCaller = isOfCaller;
    }

    /** One in a transaction that a caller ends. */
    static Session ofCaller(Connection connection, StatementTexts statements) {
        return new Session(connection, statements, null, true);
    }

    /** Whether a caller ends the transaction, perhaps long after this call. */
    public boolean isOfCaller() {
        return isOfCaller;
    }

    /** Prepares a statement, whose parameters are set by their names; the caller closes it. */
    public NamedStatement statement(SqlStatement statement) throws SQLException {
        return statements.prepare(connection, statement);
    }

    /** The text of a statement, for callers that send it without {@link #statement}. */
    public String text(SqlStatement statement) {
        return statements.of(statement);
    }

    /** Whether the database is not asked what time it is, so that its defaults for columns say the wrong one. */
    public boolean isTimeGiven() {
        return statements.isTimeGiven();
    }

    public Connection connection() {
        return connection;
    }

    /** Whether each statement is a transaction of its own. */
    public boolean isOneStatement() throws SQLException {
        return connection.getAutoCommit();
    }

    /** Several statements that take effect together or not at all; they join the transaction if one is under way. */
    public <T> T together(Work<T> work) throws SQLException {
        if (!isOneStatement()) {
            return work.in(this);
        }
        connection.setAutoCommit(false);
        T result;
        try {
            if (atBegin != null) {
                try (Statement statement = connection.createStatement()) {
                    statement.execute(atBegin);
                }
            }
            result = work.in(this);
            connection.commit();
        } catch (SQLException | RuntimeException | Error e) {
            undo(e);
            throw e;
        }
        connection.setAutoCommit(true);
        return result;
    }

    /** A failure to do so must not hide why: what broke the connection decides whether the work is tried again. */
    private void undo(Throwable why) {
        try {
            connection.rollback();
            connection.setAutoCommit(true);
        } catch (SQLException | RuntimeException undoing) {
            why.addSuppressed(undoing);
        }
    }

    /** Answers a statement whose parameters are set. */
    public interface Work<T> {
        T in(Session session) throws SQLException;
    }
}
