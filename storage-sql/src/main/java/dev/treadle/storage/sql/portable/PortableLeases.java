package dev.treadle.storage.sql.portable;

import dev.treadle.job.NodeId;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** With plain statements. What a node knows of its leases is left out here, because plain statements take no arrays. */
final class PortableLeases implements LeaseStatements {
    @Override
    public List<Lease> of(Session session, NodeId node, Set<RunId> known) throws SQLException {
        try (NamedStatement select = session.statement(SqlStatement.LEASES_OF)) {
            select.setLong("node", node.value());
            try (ResultSet rows = select.executeQuery()) {
                return Rows.allLeased(rows).stream()
                        .filter(lease -> !known.contains(RunId.of(lease)))
                        .toList();
            }
        }
    }

    @Override
    public List<Lease> orphans(Session session, NodeId asker, int max) throws SQLException {
        try (NamedStatement select = session.statement(SqlStatement.ORPHANS)) {
            select.setLong("asker", asker.value());
            select.setInt("max", max);
            try (ResultSet rows = select.executeQuery()) {
                return Rows.allLeased(rows);
            }
        }
    }

    @Override
    public Set<RunId> lockOrphans(Session session, List<Transition> endings) throws SQLException {
        Set<RunId> locked = new HashSet<>();
        try (NamedStatement lock = session.statement(SqlStatement.FREE_ORPHANS)) {
            for (Transition ending : endings) {
                lock.setObject("job_id", ending.lease().job().id().value());
                lock.setLong("token", ending.lease().token());
                locked.addAll(Rows.runs(lock));
            }
        }
        return locked;
    }
}
