package dev.treadle.storage.sql.postgresql;

import dev.treadle.job.NodeId;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.sql.portable.LeaseStatements;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Walks over the table page by page, a few at a time: each statement is short however many dead rows an old snapshot
 * keeps there, which an index would have to walk over as well.
 */
final class PostgresLeases implements LeaseStatements {
    /** How many pages one statement looks at, of 8 KiB each: about 12,000 rows, a millisecond or two. */
    private static final long PAGES_AT_ONCE = 128;

    /** Sets what follows the pages. */
    private interface Rest {
        void set(NamedStatement select) throws SQLException;
    }

    @Override
    public List<Lease> of(Session session, NodeId node, Set<RunId> known) throws SQLException {
        List<RunId> runs = List.copyOf(known);
        return walk(session, SqlStatement.LEASES_OF, Integer.MAX_VALUE, select -> {
            select.setLong("node", node.value());
            new PostgresArrays<>(session, select, runs)
                    .uuids("known_jobs", run -> run.job().value())
                    .longs("known_tokens", RunId::token);
        });
    }

    @Override
    public List<Lease> orphans(Session session, NodeId asker, int max) throws SQLException {
        try (NamedStatement end = session.statement(SqlStatement.END_STUCK_COPIES)) {
            end.execute();
        }
        return walk(session, SqlStatement.ORPHANS, max, select -> {
            select.setLong("asker", asker.value());
            select.setInt("max", max);
        });
    }

    private static List<Lease> walk(Session session, SqlStatement verb, int max, Rest rest) throws SQLException {
        long pages = pages(session);
        List<Lease> found = new ArrayList<>();
        for (long from = 0; from < pages && found.size() < max; from += PAGES_AT_ONCE) {
            try (NamedStatement select = session.statement(verb)) {
                select.setString("from_page", "(" + from + ",0)");
                select.setString("to_page", "(" + (from + PAGES_AT_ONCE) + ",0)");
                rest.set(select);
                try (ResultSet rows = select.executeQuery()) {
                    found.addAll(Rows.allLeased(rows));
                }
            }
        }
        return found.size() > max ? List.copyOf(found.subList(0, max)) : found;
    }

    private static long pages(Session session) throws SQLException {
        try (NamedStatement select = session.statement(SqlStatement.LEASE_PAGES);
                ResultSet row = select.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public Set<RunId> lockOrphans(Session session, List<Transition> endings) throws SQLException {
        try (NamedStatement lock = session.statement(SqlStatement.FREE_ORPHANS)) {
            new PostgresArrays<>(session, lock, endings)
                    .uuids("job_ids", ending -> ending.lease().job().id().value())
                    .longs("tokens", ending -> ending.lease().token());
            return new HashSet<>(Rows.runs(lock));
        }
    }
}
