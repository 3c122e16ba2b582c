package dev.treadle.storage.sql;

import dev.treadle.job.NodeId;
import dev.treadle.storage.Ending;
import dev.treadle.storage.Leased;
import dev.treadle.storage.Run;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** The statements that look through leases: no index knows whose they are, since every claim would pay for it. */
interface LeaseStatements {
    /** The leases of a node that it does not know of. */
    List<Leased> of(Session session, NodeId node, Set<Run> known) throws SQLException;

    /** Leases of other nodes that have gone or are unknown. */
    List<Leased> orphans(Session session, NodeId asker, int max) throws SQLException;

    /** Locks those leases that are still orphaned, without waiting for those that somebody else has locked. */
    Set<Run> lockOrphans(Session session, List<Ending> endings) throws SQLException;
}
