package dev.treadle.storage.sql.portable;

import dev.treadle.job.NodeId;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads all leases: an embedded database has those of one process. */
final class PortableLeases implements LeaseStatements {
    @Override
    public List<Lease> of(Session session, NodeId node, Set<RunId> known) throws SQLException {
        try (PreparedStatement select = session.prepare(SqlStatement.LEASES_OF)) {
            select.setLong(1, node.value());
            try (ResultSet rows = select.executeQuery()) {
                return Rows.allLeased(rows).stream()
                        .filter(lease -> !known.contains(RunId.of(lease)))
                        .toList();
            }
        }
    }

    @Override
    public List<Lease> orphans(Session session, NodeId asker, int max) throws SQLException {
        try (PreparedStatement select = session.prepare(SqlStatement.ORPHANS)) {
            select.setLong(1, asker.value());
            select.setInt(2, max);
            try (ResultSet rows = select.executeQuery()) {
                return Rows.allLeased(rows);
            }
        }
    }

    @Override
    public Set<RunId> lockOrphans(Session session, List<Transition> endings) throws SQLException {
        Set<RunId> locked = new HashSet<>();
        try (PreparedStatement lock = session.prepare(SqlStatement.FREE_ORPHANS)) {
            for (Transition ending : endings) {
                lock.setObject(1, ending.lease().job().id().value());
                lock.setLong(2, ending.lease().token());
                locked.addAll(Rows.runs(lock));
            }
        }
        return locked;
    }
}
