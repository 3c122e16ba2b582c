package dev.treadle.storage.sql.portable;

import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;
import dev.treadle.storage.DueListener;
import dev.treadle.storage.sql.session.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Tells nodes of this and other processes that jobs have become due. Nothing depends on it: a node that is not told finds
 * the jobs at its next look. All methods return at once. Thread-safe.
 */
public interface Notifier extends AutoCloseable {
    /** Tells nobody: the database cannot, or it is switched off. */
    Notifier NONE = new Notifier() {};

    /** A node of this process: it is told directly, and never through the database. */
    default void nodeIsHere(NodeId node) {}

    /** That node has stopped. */
    default void nodeHasLeft(NodeId node) {}

    /**
     * Tells a node of this process from now on.
     *
     * @return ends that
     */
    default Runnable listen(NodeId node, DueListener listener) {
        return () -> {};
    }

    /** Whether notifications of other processes arrive at present. */
    default boolean isListening() {
        return false;
    }

    /**
     * The notification for a single new job, to be sent by the statement that inserts the job.
     *
     * @return null if a notification of its own is better; if not null, {@link #sent} must follow the commit
     */
    default @Nullable NotifyWithInsert withInsert(Lane lane) {
        return null;
    }

    /** The statement that sent this notification has been committed. */
    default void sent(NotifyWithInsert notification) {}

    /** So many jobs are due; the lane is null if it is not known. */
    default void jobsDue(@Nullable Lane lane, int jobs) {}

    /**
     * Tells nodes of all processes, with the commit of this session's transaction, that several jobs are due.
     *
     * @param began when the transaction began; null if that makes no difference
     */
    default void withCommit(Session session, @Nullable Instant began) throws SQLException {}

    /** A transaction was committed that began then, which is long ago: its jobs came due at its beginning. */
    default void committedLate(Instant began) {}

    /** A job of this lane is due that no node of this process can take. */
    default void jobDueElsewhere(Lane lane) {}

    /** A job becomes due after this delay. */
    default void jobDueSoon(Duration delay) {}

    /** Something else changed that every node should look at: a pause, a recurring job. */
    default void changed() {}

    @Override
    default void close() {}
}
