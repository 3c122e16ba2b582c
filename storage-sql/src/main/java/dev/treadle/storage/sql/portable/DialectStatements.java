package dev.treadle.storage.sql.portable;

import dev.treadle.job.JobId;
import dev.treadle.job.NodeId;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.NotesUpdate;
import dev.treadle.storage.PendingWork;
import dev.treadle.storage.PendingWork.Head;
import dev.treadle.storage.RecurringStorage.Advance;
import dev.treadle.storage.sql.rows.NextDue;
import dev.treadle.storage.sql.rows.SaidLine;
import dev.treadle.storage.sql.session.Session;
import java.sql.Array;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The verbs that databases do in different ways: PostgreSQL in one statement each, H2 in several. One
 * for each storage; thread-safe.
 */
public interface DialectStatements {
    /** Whether each verb is one statement, so that it needs no transaction around it. */
    boolean areSingleStatements();

    /** Keeps jobs of known lanes with different ids and answers those that were not there yet. */
    default Set<JobId> insert(Session session, List<NewJob> jobs) throws SQLException {
        return insert(session, jobs, null);
    }

    /** @param ring goes with jobs that are due now; null for none. Databases without notifications ignore it */
    Set<JobId> insert(Session session, List<NewJob> jobs, @Nullable NotifyWithInsert ring) throws SQLException;

    /** Keeps the bodies of jobs with different ids, and answers those that were not there yet; their keys place them. */
    Set<JobId> keep(Session session, List<NewJob> jobs) throws SQLException;

    /** The statements on keys. */
    KeyStatements keys();

    /** The statements that look through leases. */
    LeaseStatements leases();

    /** Keeps jobs with different ids, leased to a node, and answers the leases of those that were not there yet. */
    List<Lease> insertLeased(Session session, NodeId node, List<NewJob> jobs) throws SQLException;

    int promote(Session session, int max) throws SQLException;

    /** What waits for its time next. */
    NextDue nextDue(Session session) throws SQLException;

    /** What there is to do for a node. */
    PendingWork outlook(Session session, NodeId node) throws SQLException;

    /** Makes one row of many in the tally. */
    void foldTally(Session session) throws SQLException;

    /** @param lane its number */
    List<Lease> claim(Session session, NodeId node, int lane, int max) throws SQLException;

    /** Writes endings of different leases down and answers the leases that still held. */
    default Set<RunId> end(Session session, List<Transition> endings) throws SQLException {
        return end(session, endings, new HashSet<>());
    }

    /**
     * The same.
     *
     * @param followed gets the runs of jobs that others were enqueued to run after while they ran
     */
    Set<RunId> end(Session session, List<Transition> endings, Collection<RunId> followed) throws SQLException;

    /** Writes that a node lives, its state, and its minute. */
    void beat(Session session, NodeInfo node) throws SQLException;

    /** The next job of each lane that may be claimed from. */
    List<Head> heads(Session session) throws SQLException;

    /** @param lanes their numbers */
    int unpark(Session session, NodeId node, String target, Array lanes, int max) throws SQLException;

    /** Keeps how far runs are, of each job at most one. */
    void tellProgress(Session session, List<NotesUpdate> told) throws SQLException;

    /** Keeps lines that are not kept yet. */
    void tellLines(Session session, List<SaidLine> lines) throws SQLException;

    /** Moves recurring jobs on that have the version that was seen, and answers their ids. */
    Set<String> advance(Session session, List<Advance> advances) throws SQLException;

    /** Told after a commit that may have put ready jobs, which came due then, before others that were claimed already. */
    default void lookFrom(Instant dueAt) {}

    /** The same of jobs that came due just now. */
    default void lookAgain() {}

    /** Told after the commit of a transaction of a caller that began then: what it has put came due at its beginning. */
    default void committedLate(Instant began) {}

    /** When this session's transaction began; null where no look leaves out what came due before. */
    default @Nullable TransactionAge age(Session session) throws SQLException {
        return null;
    }
}
