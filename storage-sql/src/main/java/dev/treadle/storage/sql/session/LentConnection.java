package dev.treadle.storage.sql.session;

import dev.treadle.storage.StorageException;
import java.sql.Connection;
import java.sql.SQLException;
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
    /** PostgreSQL: the limit of a statement. */
    private static final String TOOK_TOO_LONG = "57014";

    private final Connection connection;
    private final StatementTexts statements;
    private final Transactions own;
    private final Commit commit;
    private boolean announced;

    /**
     * How others learn of the caller's commit.
     *
     * @param hook  takes what to do after it; null if the commit is not reported
     * @param first done in the transaction once, after the first call that wrote; answers what to do after the commit
     */
    public record Commit(@Nullable Consumer<Runnable> hook, Session.Work<Runnable> first) {}

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
            CallSavepoint before = CallSavepoint.on(connection);
            try {
                T result = work.in(Session.ofCaller(connection, statements));
                before.release();
                return result;
            } catch (SQLException | RuntimeException | Error e) {
                undo(before, e);
                throw e;
            }
        } catch (SQLException e) {
            throw failed(what, e);
        }
    }

    private static void undo(CallSavepoint before, Throwable why) {
        try {
            before.rollBack();
        } catch (SQLException | RuntimeException undoing) {
            // of a broken connection, or of a transaction that the database has ended as a whole
            why.addSuppressed(undoing);
        }
    }

    /** What a failure in a caller's transaction means to the caller, in one sentence or two. */
    public static StorageException failed(String what, SQLException e) {
        String begin = "The storage could not " + what + " in your transaction: ";
        String message = SqlFailure.said(e);
        String state = String.valueOf(e.getSQLState());
        if (ABORTED.equals(state)) {
            return new StorageException(
                    begin + "this transaction was aborted by an earlier failure. Roll it back, mend what failed, and"
                            + " begin again.",
                    e,
                    true);
        }
        if (SqlFailure.READ_ONLY.equals(state)) {
            return new StorageException(
                    begin + "it is read-only. Begin one that may write, as with @Transactional(readOnly = false).",
                    e,
                    false);
        }
        if (TOOK_TOO_LONG.equals(state) || SqlFailure.isLockTimeout(e)) {
            return new StorageException(
                    begin + "it took longer than this connection allows (" + message + "), probably because another"
                            + " open transaction holds the key, the name or the job. Roll back and repeat the whole"
                            + " transaction, or go on without the call: what you did before is as it was.",
                    e,
                    true);
        }
        return switch (SqlFailure.of(e)) {
            case ROLLED_BACK ->
                new StorageException(
                        begin + message
                                + ". Others wrote the same at the same time, and nothing was tried again because"
                                + " the transaction is yours: roll back and repeat the whole transaction, or they may go on"
                                + " waiting for it.",
                        e,
                        true);
            case CONNECTION_LOST, CONNECTION_USELESS ->
                new StorageException(
                        begin + "the connection is gone (" + message
                                + "), and with it all that the transaction wrote. Repeat"
                                + " the whole transaction on another connection.",
                        e,
                        true);
            case AT_FAULT, OTHER ->
                new StorageException(
                        begin + message
                                + ". What you did before is as it was: mend the call, go on without it, or roll back.",
                        e,
                        SqlFailure.of(e).isWorthRepeating());
        };
    }

    @Override
    public void afterCommit(Runnable action) {
        if (!announced) {
            announced = true;
            Runnable told = statement("announce the commit", false, commit.first);
            if (commit.hook != null) {
                commit.hook.accept(told);
            }
        }
        if (commit.hook != null) {
            commit.hook.accept(action);
        }
    }

    @Override
    public Transactions own() {
        return own;
    }
}
