package dev.treadle.storage.sql.admin;

import dev.treadle.job.Invocation;
import dev.treadle.job.JobId;
import dev.treadle.job.NodeId;
import dev.treadle.job.StateName;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.admin.FailureGroup;
import dev.treadle.storage.admin.JobPage;
import dev.treadle.storage.admin.JobQuery;
import dev.treadle.storage.admin.JobSearch;
import dev.treadle.storage.sql.rows.NodeRows;
import dev.treadle.storage.sql.rows.Tally;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.SqlStatement;
import dev.treadle.storage.sql.session.Transactions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a dashboard asks of a database. Lists come in two steps: the ids of a page, then what it shows of them. */
public final class SqlSearch implements JobSearch {
    private final Transactions transactions;

    public SqlSearch(Transactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public JobPage list(JobQuery filter, @Nullable String after, int max) {
        if (max < 1 || max > PAGE_MAX) {
            throw new IllegalArgumentException("A page has 1 to " + PAGE_MAX + " jobs, not " + max + ".");
        }
        SqlPage page = new SqlPage(filter, after, max);
        return transactions.statement("list jobs", true, page::read);
    }

    @Override
    public Map<StateName, Long> counts() {
        return transactions.statement("count jobs", true, Tally::read);
    }

    @Override
    public List<GateSeen> gates(Collection<JobId> waiters, int from, int max) {
        Object[] ids = waiters.stream().distinct().map(JobId::value).toArray();
        return transactions.statement("look at gates", true, session -> {
            List<GateSeen> gates = new ArrayList<>();
            try (NamedStatement select = session.statement(SqlStatement.GATES_SEEN)) {
                select.setArray("waiters", session.connection().createArrayOf("UUID", ids));
                select.setInt("max", max);
                select.setInt("from", from);
                try (ResultSet rows = select.executeQuery()) {
                    while (rows.next()) {
                        gates.add(GateRow.seen(rows));
                    }
                }
            }
            return gates;
        });
    }

    @Override
    public List<FailureGroup> failures() {
        return ask("group failures", SqlStatement.CAUSES, select -> {
            select.setInt("max", CAUSES_MAX);
            if (select.has("counted_max")) {
                select.setInt("counted_max", CAUSE_COUNT_MAX);
            }
            List<FailureGroup> groups = new ArrayList<>();
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    groups.add(group(rows));
                }
            }
            return groups;
        });
    }

    private static FailureGroup group(ResultSet row) throws SQLException {
        String message = row.getString(8);
        return new FailureGroup(
                row.getString(1),
                (int) Math.min(CAUSE_COUNT_MAX, row.getLong(2)),
                Rows.instant(row, 3),
                Rows.instant(row, 4),
                JobId.of(Rows.uuid(row, 5)),
                new Invocation(row.getString(6), row.getString(7), "").target(),
                message == null ? "" : message);
    }

    @Override
    public List<Attempt> recent(Duration within) {
        return ask("look at recent attempts", SqlStatement.RECENT, select -> {
            select.setObject("within_micros", Rows.micros(within));
            select.setInt("max", RECENT_MAX);
            List<Attempt> attempts = new ArrayList<>();
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    Duration ran = Rows.duration(rows.getObject(2, Long.class));
                    Duration waited = Duration.between(Rows.instant(rows, 4), Rows.instant(rows, 3));
                    attempts.add(new Attempt(rows.getInt(1) == 1 ? waited : null, ran));
                }
            }
            return attempts;
        });
    }

    @Override
    public @Nullable Duration longestWait() {
        return ask("look for the longest wait", SqlStatement.LONGEST_WAIT, select -> {
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? Rows.duration(row.getObject(1, Long.class)) : null;
            }
        });
    }

    @Override
    public List<NodeSeen> nodes(Duration goneWithin) {
        return ask("look for nodes", SqlStatement.NODES, select -> {
            select.setObject("gone_micros", Rows.micros(goneWithin));
            List<NodeSeen> nodes = new ArrayList<>();
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    nodes.add(node(rows));
                }
            }
            return nodes;
        });
    }

    private static NodeSeen node(ResultSet row) throws SQLException {
        NodeInfo info = new NodeInfo(
                new NodeId(row.getLong(1)),
                row.getString(2),
                row.getString(3),
                row.getInt(4),
                NodeRows.figures(row, 9));
        Instant gone = Rows.instantOrNull(row, 7);
        Duration beatAgo = Duration.ofNanos(Math.max(0, row.getLong(6)) * 1_000);
        return new NodeSeen(info, Rows.instant(row, 5), beatAgo, gone, row.getInt(8));
    }

    private <T extends @Nullable Object> T ask(String what, SqlStatement verb, Question<T> question) {
        return transactions.statement(what, true, session -> {
            try (NamedStatement select = session.statement(verb)) {
                return question.of(select);
            }
        });
    }

    /** Sets the parameters and reads the rows. */
    private interface Question<T extends @Nullable Object> {
        T of(NamedStatement select) throws SQLException;
    }
}
