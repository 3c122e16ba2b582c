package dev.treadle.storage.sql;

import dev.treadle.job.NodeId;
import dev.treadle.storage.Ending;
import dev.treadle.storage.Leased;
import dev.treadle.storage.Run;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads all leases: an embedded database has those of one process. */
final class H2Leases implements LeaseStatements {
    @Override
    public List<Leased> of(Session session, NodeId node, Set<Run> known) throws SQLException {
        try (PreparedStatement select = session.prepare(Verb.LEASES_OF)) {
            select.setLong(1, node.value());
            try (ResultSet rows = select.executeQuery()) {
                return Rows.allLeased(rows).stream()
                        .filter(lease -> !known.contains(Run.of(lease)))
                        .toList();
            }
        }
    }

    @Override
    public List<Leased> orphans(Session session, NodeId asker, int max) throws SQLException {
        try (PreparedStatement select = session.prepare(Verb.ORPHANS)) {
            select.setLong(1, asker.value());
            select.setInt(2, max);
            try (ResultSet rows = select.executeQuery()) {
                return Rows.allLeased(rows);
            }
        }
    }

    @Override
    public Set<Run> lockOrphans(Session session, List<Ending> endings) throws SQLException {
        Set<Run> locked = new HashSet<>();
        try (PreparedStatement lock = session.prepare(Verb.FREE_ORPHANS)) {
            for (Ending ending : endings) {
                lock.setObject(1, ending.lease().job().id().value());
                lock.setLong(2, ending.lease().token());
                locked.addAll(Rows.runs(lock));
            }
        }
        return locked;
    }
}
