package dev.treadle.enqueue;

import dev.treadle.commit.OpenBlocks;
import dev.treadle.commit.TransactionBlock;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.TransactionalStorage;
import dev.treadle.transaction.OpenTransaction;
import dev.treadle.transaction.TransactionCall;
import dev.treadle.transaction.TransactionMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Finds the application's transaction on the calling thread, and runs transactions for it. Thread-safe. */
final class CallerTransactions {
    private final StorageProvider storage;
    private final Enqueuer enqueuer;
    private final TransactionLinks links;
    private final Runnable due;
    private final Runnable gates;
    private final StorageAccess own;
    private final OpenBlocks blocks;

    /** @param services know the blocks that are open, and who hears of commits */
    CallerTransactions(StorageProvider storage, Enqueuer enqueuer, TransactionLinks links, SchedulerServices services) {
        this.storage = storage;
        this.enqueuer = enqueuer;
        this.blocks = services.blocks();
        this.links = links;
        this.due = services.due();
        this.gates = services.gates();
        this.own = new StorageAccess(storage, enqueuer, Runnable::run);
    }

    /**
     * Where a call under this mode goes now.
     *
     * @throws IllegalStateException if nothing can be written in the transaction that is open
     */
    StorageAccess access(TransactionMode mode) {
        OpenTransaction open = mode == TransactionMode.OWN ? null : current();
        if (open == null) {
            return own;
        }
        if (open.isReadOnly()) {
            throw new IllegalStateException(
                    "The transaction on this thread is read-only, so no job can be written in it. Begin one that may"
                            + " write, as with @Transactional(readOnly = false), or enqueue apart from it with"
                            + " JobOptions.withTransactionMode(TransactionMode.OWN).");
        }
        return mode == TransactionMode.AFTER_COMMIT
                ? new StorageAccess(
                        joined(open).storage(),
                        enqueuer.with(JobWriter.deferring(enqueuer.writer(), open)),
                        open::afterCommit)
                : joined(open);
    }

    /** What a call under this mode reads from now. */
    TransactionalStorage reading(TransactionMode mode) {
        OpenTransaction open = mode == TransactionMode.OWN ? null : current();
        return open == null || open.isReadOnly() ? storage : joined(open).storage();
    }

    private @Nullable OpenTransaction current() {
        TransactionBlock block = blocks.current();
        return block == null ? links.current() : block;
    }

    private StorageAccess joined(OpenTransaction open) {
        return open instanceof TransactionBlock block
                ? block.once(StorageAccess.class, () -> joined(block.connection(), block::afterCommit))
                : joined(open.connection(), open::afterCommit);
    }

    /** Where a call in the transaction of this connection goes. */
    StorageAccess joined(Connection connection) {
        TransactionBlock block = blocks.current();
        return block != null && block.connection() == connection ? joined(block) : joined(connection, null);
    }

    private StorageAccess joined(Connection connection, @Nullable Consumer<Runnable> afterCommit) {
        var joined = storage.in(connection, afterCommit);
        // where the commit is not reported, interceptors are told at once, and servers look for jobs by themselves
        return afterCommit == null
                ? new StorageAccess(
                        joined,
                        enqueuer.with(JobWriter.joining(joined, Runnable::run, () -> {}, () -> {})),
                        Runnable::run)
                : new StorageAccess(
                        joined, enqueuer.with(JobWriter.joining(joined, afterCommit, due, gates)), afterCommit);
    }

    /**
     * Runs a call in a transaction on a connection of this DataSource.
     *
     * @throws IllegalStateException if this thread is in such a transaction already
     */
    <R, X extends Exception> R run(DataSource from, TransactionCall<R, X> call) throws X {
        if (blocks.current() != null) {
            throw new IllegalStateException("This thread is in a transaction of Treadle already. A second one would"
                    + " neither see what the first wrote nor be rolled back with it, and might wait for it for ever:"
                    + " use the connection of the first, in which jobs.enqueue takes part by itself.");
        }
        TransactionBlock block = TransactionBlock.begin(from);
        R result;
        try (block) {
            result = blocks.run(block, call);
            Throwable failed = block.commit();
            if (failed != null) {
                throw notCommitted(failed);
            }
        }
        // once the connection is back in its pool, because what follows may need one
        block.tellOfCommit();
        return result;
    }

    private static StorageException notCommitted(Throwable failed) {
        String said = String.valueOf(failed.getMessage()).lines().findFirst().orElse("");
        String state = failed instanceof SQLException sql && sql.getSQLState() != null ? sql.getSQLState() : "";
        boolean wasAnswered = failed instanceof SQLException
                && !(failed instanceof SQLNonTransientConnectionException)
                && !(failed instanceof SQLRecoverableException)
                && !state.startsWith("08")
                && !state.startsWith("57P");
        if (!wasAnswered) {
            return new StorageException(
                    "The commit was not answered (" + said + "), so the transaction may have been committed or not:"
                            + " look before you repeat it, or enqueue under ids of your own (JobOptions.withId or"
                            + " withIdsUnder), so that repeating changes nothing.",
                    failed,
                    true);
        }
        // what others did has passed when it is repeated, a broken constraint has not
        boolean worthRepeating = !state.startsWith("23");
        return new StorageException(
                "The database refused the commit (" + said + "), so nothing of the transaction is there, and none of"
                        + " its jobs. "
                        + (worthRepeating ? "Repeat the whole transaction." : "Mend what it wrote, and repeat it."),
                failed,
                worthRepeating);
    }
}
