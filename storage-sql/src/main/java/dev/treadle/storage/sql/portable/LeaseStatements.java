package dev.treadle.storage.sql.portable;

import dev.treadle.job.NodeId;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.sql.session.Session;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** The statements that look through leases: no index knows whose they are, since every claim would pay for it. */
public interface LeaseStatements {
    /** The leases of a node that it does not know of. */
    List<Lease> of(Session session, NodeId node, Set<RunId> known) throws SQLException;

    /** Leases of other nodes that have gone or are unknown. */
    List<Lease> orphans(Session session, NodeId asker, int max) throws SQLException;

    /** Locks those leases that are still orphaned, without waiting for those that another transaction has locked. */
    Set<RunId> lockOrphans(Session session, List<Transition> endings) throws SQLException;
}
