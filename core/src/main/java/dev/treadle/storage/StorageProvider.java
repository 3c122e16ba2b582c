package dev.treadle.storage;

import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RetentionSettings;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.PendingWork.Head;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Where jobs are kept: the life of a job, in the order in which a job meets these methods. Each call commits by itself
 * before it returns, or throws {@link StorageException}; after an exception the caller does not know whether the call
 * took effect, so each call may be repeated. Losing a race is an answer, not an exception. The clock of the storage
 * decides what is due and who is silent. Thread-safe.
 */
public interface StorageProvider extends TransactionalStorage, AutoCloseable {
    /** Most different lanes that a storage keeps: combinations of a queue, tags, and resources with their amounts. */
    int LANES_MAX = Short.MAX_VALUE;

    /**
     * The same storage inside a transaction of the caller: what it writes is committed or rolled back with the rest of that
     * transaction, and seen by no other before. It never commits, closes or tries again. Used by the thread of the
     * transaction, and not after it has ended.
     *
     * @param connection  with a transaction under way on the storage's database
     * @param afterCommit takes what to do once the transaction has been committed; null if the commit is not reported
     * @throws IllegalArgumentException      if the connection leads elsewhere, or has no transaction that may write
     * @throws UnsupportedOperationException if this storage has no transactions
     */
    default TransactionalStorage in(Connection connection, @Nullable Consumer<Runnable> afterCommit) {
        throw new UnsupportedOperationException(
                "The storage (" + description() + ") cannot take part in a transaction of"
                        + " a database. Use SqlStorageProvider, or enqueue without a connection.");
    }

    /** Transactions of this storage's database in which jobs work; empty if it has no transactions. */
    default Optional<JobTransactions> jobTransactions() {
        return Optional.empty();
    }

    /** What lends connections to this storage's database; empty if it has none. */
    default Optional<DataSource> dataSource() {
        return jobTransactions().map(JobTransactions::dataSource);
    }

    /**
     * Keeps new jobs that are due now as Processing, leased to a node: {@link #insert} and {@link #claim} in one, with
     * nothing in between. A job whose id is already there is left as it is, whatever its state.
     *
     * @param jobs at most {@link #BATCH_MAX}, all due now and without a key; of several with the same id the first is kept
     * @return the leases of those that were not there yet, in the order given
     */
    List<Lease> insertLeased(NodeId node, List<NewJob> jobs);

    /**
     * Makes Scheduled jobs whose time has come Enqueued, those due first first, and moves on the jobs of keys whose
     * rate has room again.
     *
     * @param max most jobs to move, 1 to {@link #BATCH_MAX}
     */
    Promotion promote(int max);

    /**
     * Leases due jobs of one lane to a node, by priority and then by the time at which they came due. Each counts an
     * attempt. No job is given to two callers. Whether the node should serve that lane is for the caller to know.
     *
     * @param max most jobs to give, 1 to {@link #BATCH_MAX}
     */
    List<Lease> claim(NodeId node, Lane lane, int max);

    /** The same from the lane of jobs that ask for no queue and no tags. */
    default List<Lease> claim(NodeId node, int max) {
        return claim(node, Lane.DEFAULT, max);
    }

    /**
     * What is leased to a node that it does not know of, so that a node whose claim's answer was lost finds what it was
     * given.
     *
     * @param known the runs that it knows of
     */
    List<Lease> leasesOf(NodeId node, Set<RunId> known);

    /** All jobs that are leased to a node. */
    default List<Lease> leasesOf(NodeId node) {
        return leasesOf(node, Set.of());
    }

    /** Says that a node lives, and makes it known if it was not. */
    void heartbeat(NodeInfo node);

    /**
     * The last heartbeat of each node that has not gone. Who is silent is for those to know who see that it stays the
     * same: the clock of the storage has no part in it.
     */
    List<NodeBeat> beats();

    /**
     * Says that a node has gone: what it still holds is orphaned at once. A node that is heard again lives, and keeps what
     * has not been rescued.
     *
     * @param last the heartbeat after which nothing was heard of it: nothing is done if another has come since; null if the
     *             node itself says that it has stopped
     * @return whether this call did it
     */
    boolean gone(NodeId node, @Nullable NodeBeat last);

    /** A node says that it has stopped. */
    default void leave(NodeId node) {
        gone(node, null);
    }

    /** Says that a node is dead, unless it has been heard since. */
    default boolean bury(NodeBeat last) {
        return gone(last.node(), last);
    }

    /**
     * Leases of nodes that have gone or never existed. Those that another transaction is writing at this moment may
     * be left out: they come with a later call.
     *
     * @param asker whose own leases are left out: no node rescues from itself
     * @param max   most leases to give, 1 to {@link #BATCH_MAX}
     */
    List<Lease> orphans(NodeId asker, int max);

    /**
     * Writes down how attempts of orphans ended, each only if its lease still holds and its node has not been heard
     * again. Waits for no lock: those whose lease or key another transaction is writing at this moment are left as
     * they are.
     *
     * @param endings at most {@link #BATCH_MAX}, each of another lease
     * @return one answer for each ending, in their order: Written, or Stale for what was not written by this call
     */
    List<WriteResult> rescue(List<Transition> endings);

    /**
     * Targets of Parked jobs of some lanes that a node may try: those that the node which parked them did not know, and
     * those that were parked before this node was first seen. A node asks for the lanes that it serves: what it brought
     * back into others would be parked by others again.
     */
    Set<String> parkedTargets(NodeId node, Set<Lane> lanes);

    /** The same in the lane of jobs that ask for no queue and no tags. */
    default Set<String> parkedTargets(NodeId node) {
        return parkedTargets(node, Set.of(Lane.DEFAULT));
    }

    /**
     * Makes Parked jobs of these lanes with that target Enqueued again, under the condition of {@link #parkedTargets}.
     *
     * @param max most jobs to move, 1 to {@link #BATCH_MAX}
     * @return how many were moved
     */
    int unpark(NodeId node, String target, Set<Lane> lanes, int max);

    /** The same in the lane of jobs that ask for no queue and no tags. */
    default int unpark(NodeId node, String target, int max) {
        return unpark(node, target, Set.of(Lane.DEFAULT), max);
    }

    /** What there is to do for a node: one question, asked again and again by nodes that have nothing to do. */
    PendingWork outlook(NodeId node);

    /**
     * The first job in each lane that has one which may run now, where the queue is not paused: that part of the outlook
     * which a node with several lanes asks for while it works.
     */
    List<Head> heads();

    /** What tells nodes of work that others make; by default nothing does, and nodes look as often as their settings say. */
    default DueNotifications notifications() {
        return DueNotifications.NONE;
    }

    /**
     * Housekeeping of the storage's own, such as folding what it counts with; each node does it now and then. By default
     * there is none.
     */
    default void tidy() {}

    /**
     * Forgets what is no longer needed, one chunk at a time: unique names whose job blocks no other job, in the order
     * of the names, and with the first chunk the requests to stop runs of nodes that are gone.
     *
     * @param after begin after this name; empty to begin with the first
     * @return the last name looked at; null if the last chunk was looked at
     */
    @Nullable
    String forgetUnneeded(String after);

    /**
     * Looks at the next jobs, wherever the last step of any node ended, and deletes those that have ended and are old
     * enough by the clock of the storage, with all that belongs to them: body, history, results, lines, labels. A job that
     * is run again at the same time is not deleted.
     *
     * @param node     who walks; for a minute after a step of one node others only watch
     * @param settings which ones to delete
     * @param max      most jobs to look at, 1 to {@link #BATCH_MAX}
     */
    RetentionStep deleteEnded(NodeId node, RetentionSettings settings, int max);

    /** What this is, for logs: {@code in memory}, {@code PostgreSQL 18.6 (…)}. Holds no password. */
    default String description() {
        return getClass().getSimpleName();
    }

    /** Closes what this storage opened itself; by default that is nothing. A second close does nothing. */
    @Override
    default void close() {}

    /**
     * What one {@linkplain #deleteEnded step} of retention did.
     *
     * @param walked  false if another node walks at present, and nothing was done
     * @param deleted how many jobs
     * @param atEnd   all jobs have been looked at, and the next step begins with the first
     */
    record RetentionStep(boolean walked, int deleted, boolean atEnd) {}

    /**
     * The outcome of {@link #promote}.
     *
     * @param moved     how many jobs became Enqueued, or came from the line of their key's rate
     * @param untilNext how long until the next Scheduled job is due or the next rate has room, zero if one is or has now;
     *                  null if there is none
     */
    record Promotion(int moved, @Nullable Duration untilNext) {}
}
