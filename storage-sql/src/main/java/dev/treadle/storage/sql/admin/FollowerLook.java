package dev.treadle.storage.sql.admin;

import dev.treadle.job.AfterRule;
import dev.treadle.job.GateId;
import dev.treadle.job.JobId;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.Details;
import dev.treadle.lifecycle.Gate;
import dev.treadle.lifecycle.Gate.Ends;
import dev.treadle.lifecycle.Gate.Verdict;
import dev.treadle.lifecycle.Trigger;
import dev.treadle.storage.TransactionalStorage;
import dev.treadle.storage.sql.jobs.GateCounts;
import dev.treadle.storage.sql.keys.HeldJobs;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The part of a {@link GateLook} that is about jobs which run after others. It does not count what has happened but looks how
 * the others stand now, so it may come twice, late, or in any order.
 *
 * @param edges    what may have changed
 * @param unlooked jobs that more run after than one look takes
 */
record FollowerLook(Session session, List<Edge> edges, Set<JobId> unlooked) {
    /** Most edges of the jobs that were told of that one look takes. */
    private static final int EDGES_MAX = TransactionalStorage.ACT_MAX;
    /** The outcome of a job that has not ended. */
    private static final int NONE = -1;

    /** One job runs after another, which had ended in this state when that was last looked at. */
    private record Edge(JobId waiter, JobId job, int outcome) {
        /** @param now where the other stands; null if it is deleted */
        int outcome(@Nullable StateName now) {
            if (now == null) {
                return outcome == NONE ? StateName.CANCELLED.code() : outcome;
            }
            return now.isFinal() ? now.code() : NONE;
        }
    }

    /**
     * Finds what may have changed.
     *
     * @param told gates, and {@linkplain GateCounts#gatesOfFollowers jobs} that others run after
     * @param rows the gates among them
     */
    static FollowerLook find(Session session, Collection<UUID> told, List<GateRow> rows) throws SQLException {
        List<Edge> edges = new ArrayList<>();
        List<JobId> waiters = new ArrayList<>();
        Set<UUID> jobs = new LinkedHashSet<>(told);
        for (GateRow row : rows) {
            jobs.remove(row.gate().id().value());
            if (row.afterRule() != null) {
                waiters.add(row.gate().waiter());
            }
        }
        if (!waiters.isEmpty()) {
            try (NamedStatement select = session.statement(SqlStatement.EDGES)) {
                set(session, select, "waiters", waiters);
                read(select, edges);
            }
        }
        Set<JobId> unlooked = new HashSet<>();
        for (Map.Entry<Integer, List<JobId>> same :
                byOutcome(session, jobs.stream().map(JobId::of).toList()).entrySet()) {
            List<Edge> stale = stale(session, same.getKey(), same.getValue());
            edges.addAll(stale);
            if (stale.size() >= EDGES_MAX) {
                unlooked.addAll(same.getValue());
            }
        }
        return new FollowerLook(session, edges, unlooked);
    }

    /** Jobs by the outcome that their edges ought to have. */
    private static Map<Integer, List<JobId>> byOutcome(Session session, List<JobId> jobs) throws SQLException {
        Map<Integer, List<JobId>> byOutcome = new HashMap<>();
        Map<JobId, StateName> states = jobs.isEmpty() ? Map.of() : SqlQueries.states(session, jobs);
        for (JobId id : jobs) {
            StateName state = states.get(id);
            // of a job that is deleted, the edges were written and the gates told with that
            if (state != null) {
                int outcome = state.isFinal() ? state.code() : NONE;
                byOutcome.computeIfAbsent(outcome, unseen -> new ArrayList<>()).add(id);
            }
        }
        return byOutcome;
    }

    private static List<Edge> stale(Session session, int outcome, List<JobId> jobs) throws SQLException {
        List<Edge> stale = new ArrayList<>();
        try (NamedStatement select = session.statement(SqlStatement.STALE_EDGES)) {
            set(session, select, "jobs", jobs);
            select.setInt("outcome", outcome);
            select.setInt("max", EDGES_MAX);
            read(select, stale);
        }
        return stale;
    }

    private static void set(Session session, NamedStatement statement, String name, Collection<JobId> ids)
            throws SQLException {
        Object[] values = ids.stream().map(JobId::value).toArray();
        statement.setArray(name, session.connection().createArrayOf("UUID", values));
    }

    private static void read(NamedStatement select, List<Edge> into) throws SQLException {
        try (ResultSet row = select.executeQuery()) {
            while (row.next()) {
                into.add(new Edge(JobId.of(Rows.uuid(row, 1)), JobId.of(Rows.uuid(row, 2)), row.getInt(3)));
            }
        }
    }

    /** Those whose bodies have to be locked. */
    Stream<JobId> waiters() {
        return edges.stream().map(Edge::waiter);
    }

    /**
     * Writes how the others stand, and decides what becomes of those that run after them.
     *
     * @param held   has locked the bodies of those
     * @param states where those stand
     * @return how many go on
     */
    int look(HeldJobs held, Map<JobId, StateName> states) throws SQLException {
        if (edges.isEmpty()) {
            return 0;
        }
        Set<JobId> again = new HashSet<>(unlooked);
        update(again);
        for (JobId job : again) {
            GateCounts.lookAgain(session, GateCounts.gatesOfFollowers(job));
        }
        Set<JobId> waiting = new HashSet<>();
        waiters().filter(id -> states.get(id) == StateName.WAITING).forEach(waiting::add);
        if (waiting.isEmpty()) {
            return 0;
        }
        Map<JobId, Ends> ends = ends(waiting);
        List<UUID> gates = waiting.stream().map(id -> GateId.after(id).value()).toList();
        int resumed = 0;
        // read now, when nobody else can change what they wait for
        for (GateRow row : GateRow.readAll(session, gates)) {
            Ends now = ends.get(row.gate().waiter());
            AfterRule rule = row.afterRule();
            if (now != null && rule != null) {
                resumed += decide(held, row, now, rule);
            }
        }
        return resumed;
    }

    /** @param again gets jobs about which another look has written in the meantime */
    private void update(Set<JobId> again) throws SQLException {
        Set<JobId> jobs = new LinkedHashSet<>();
        edges.forEach(edge -> jobs.add(edge.job));
        Map<JobId, StateName> states = SqlQueries.states(session, List.copyOf(jobs));
        try (NamedStatement update = session.statement(SqlStatement.EDGE_OUTCOME)) {
            for (Edge edge : edges) {
                int outcome = edge.outcome(states.get(edge.job));
                if (outcome != edge.outcome) {
                    update.setInt("outcome", outcome);
                    update.setObject("waiter", edge.waiter.value());
                    update.setObject("job_id", edge.job.value());
                    update.setInt("before", edge.outcome);
                    if (update.executeUpdate() == 0) {
                        again.add(edge.job);
                    }
                }
            }
        }
    }

    private Map<JobId, Ends> ends(Collection<JobId> waiters) throws SQLException {
        Map<JobId, Ends> ends = new HashMap<>();
        try (NamedStatement select = session.statement(SqlStatement.EDGE_ENDS)) {
            set(session, select, "waiters", waiters);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    ends.put(
                            JobId.of(Rows.uuid(row, 1)),
                            new Ends(row.getLong(2), row.getLong(3), row.getLong(4), row.getLong(5)));
                }
            }
        }
        return ends;
    }

    private int decide(HeldJobs held, GateRow row, Ends ends, AfterRule rule) throws SQLException {
        Gate gate = row.gate().standing(ends);
        try (NamedStatement update = session.statement(SqlStatement.GATE_STANDS)) {
            update.setLong("ended", gate.ended());
            update.setLong("failed", gate.failed());
            update.setObject("id", gate.id().value());
            update.executeUpdate();
        }
        Verdict verdict = ends.under(rule);
        if (verdict == Verdict.WAIT) {
            return 0;
        }
        boolean goes = verdict == Verdict.GO;
        SqlOperators.change(
                held,
                gate.waiter(),
                goes ? Trigger.RESUME : Trigger.CANCEL,
                goes ? Details.NONE : Details.of(Gate.noteOfCancelled(rule)));
        row.pass(session);
        return goes ? 1 : 0;
    }
}
