package dev.treadle.storage.sql.session;

import dev.treadle.storage.StorageException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs each call inside a transaction of the caller, on the caller's connection, which is never committed, rolled back as
 * a whole, or closed. A savepoint before each call lets the transaction go on after a failure. Nothing is tried again,
 * because a failure may have undone what the caller did before. Used by one thread.
 */
public final class LentConnection implements Transactions {
    /** PostgreSQL: an earlier statement has failed, and only a rollback ends that. */
    private static final String ABORTED = "25P02";

    private final Connection connection;
    private final StatementTexts statements;
    private final Transactions own;
    private final Commit commit;
    private boolean announced;

    /**
     * How others learn of the caller's commit.
     *
     * @param hook  takes what to do after it; null if nobody knows when it comes
     * @param along goes with it where there is no hook
     */
    public record Commit(@Nullable Consumer<Runnable> hook, Session.Work<?> along) {}

    /** @param own the storage's own transactions */
    public LentConnection(Connection connection, StatementTexts statements, Transactions own, Commit commit) {
        this.connection = connection;
        this.statements = statements;
        this.own = own;
        this.commit = commit;
    }

    /**
     * @throws IllegalArgumentException if nothing can be written in a transaction of this connection
     */
    public static void mustBeInTransaction(Connection connection) throws SQLException {
        if (connection.isClosed()) {
            throw new IllegalArgumentException("The connection is closed. Enqueue before it is closed, in the"
                    + " transaction that the jobs belong to.");
        }
        if (connection.getAutoCommit()) {
            throw new IllegalArgumentException(
                    "The connection has autocommit on, so there is no transaction to take part"
                            + " in. Call connection.setAutoCommit(false) first, or enqueue without in(connection).");
        }
        if (connection.isReadOnly()) {
            throw new IllegalArgumentException(
                    "The connection is read-only, so no job can be written in its transaction."
                            + " Begin a transaction that may write, as with @Transactional(readOnly = false).");
        }
    }

    @Override
    public <T> T statement(String what, boolean repeatable, Session.Work<T> work) {
        try {
            mustBeInTransaction(connection);
            Savepoint before = connection.setSavepoint();
            try {
                T result = work.in(new Session(connection, statements));
                connection.releaseSavepoint(before);
                return result;
            } catch (SQLException | RuntimeException | Error e) {
                undo(before, e);
                throw e;
            }
        } catch (SQLException e) {
            throw failed(what, e);
        }
    }

    private void undo(Savepoint before, Throwable why) {
        try {
            connection.rollback(before);
        } catch (SQLException | RuntimeException undoing) {
            // of a broken connection, or of a transaction that the database has ended as a whole
            why.addSuppressed(undoing);
        }
    }

    /** What is said of a failure in a transaction of the caller. */
    public static StorageException failed(String what, SQLException e) {
        return new StorageException(said(what, e), e, SqlFailure.of(e).isWorthRepeating());
    }

    private static String said(String what, SQLException e) {
        if (ABORTED.equals(e.getSQLState())) {
            return "The storage could not " + what
                    + ": this transaction was aborted by an earlier failure. Roll it back,"
                    + " mend what failed, and begin again.";
        }
        if (SqlFailure.READ_ONLY.equals(e.getSQLState())) {
            return "The storage could not " + what + ": this transaction is read-only. Begin one that may write.";
        }
        String remedy = SqlFailure.of(e) == SqlFailure.ROLLED_BACK
                ? "It was not tried again, because what you did before in this transaction may be undone too: roll back"
                        + " and repeat the whole transaction."
                : "It was not tried again, because the transaction is yours: roll it back, or go on without the job.";
        return "The storage could not " + what + " in your transaction: " + e.getMessage() + ". " + remedy;
    }

    @Override
    public void afterCommit(Runnable action) {
        if (commit.hook != null) {
            commit.hook.accept(action);
        } else if (!announced) {
            announced = true;
            statement("announce the commit", false, commit.along);
        }
    }

    @Override
    public Transactions own() {
        return own;
    }
}
