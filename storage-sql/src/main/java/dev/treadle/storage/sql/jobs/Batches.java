package dev.treadle.storage.sql.jobs;

import dev.treadle.job.JobId;
import dev.treadle.job.NodeId;
import dev.treadle.job.OperatorAct;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Which batches take more than one statement, and the statements that only some batches need. */
public final class Batches {
    private Batches() {}

    static Set<JobId> idsOf(List<Lease> leases) {
        return leases.stream().map(lease -> lease.job().id()).collect(Collectors.toSet());
    }

    /** Whether endings are written by more than one statement. */
    static boolean isMixedRecord(List<Transition> endings) {
        boolean plain = endings.get(0).isPlain();
        for (Transition ending : endings) {
            if (ending.isPlain() != plain || ending.stopsRun()) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasLabels(List<NewJob> jobs) {
        for (NewJob job : jobs) {
            if (!job.traits().labels().isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** Keeps what the jobs that were not there yet have in tables of its own. */
    public static void describe(Session session, List<NewJob> jobs, Set<JobId> fresh) throws SQLException {
        label(session, jobs, fresh);
        Deadlines.keep(session, jobs, fresh);
    }

    /** Keeps the labels of the jobs that were not there yet. */
    public static void label(Session session, List<NewJob> jobs, Set<JobId> fresh) throws SQLException {
        if (!hasLabels(jobs)) {
            return;
        }
        try (NamedStatement insert = session.statement(SqlStatement.LABEL)) {
            for (NewJob job : jobs) {
                for (String label :
                        fresh.contains(job.id()) ? new TreeSet<>(job.traits().labels()) : Set.<String>of()) {
                    insert.setObject("job_id", job.id().value());
                    insert.setString("label", label);
                    insert.addBatch();
                }
            }
            insert.executeBatch();
        }
    }

    /** Asks the runs to end whose jobs another node took over just now. */
    static void askLost(Session session, List<Transition> endings, Set<RunId> ended) throws SQLException {
        Map<NodeId, List<RunId>> lost = new HashMap<>();
        for (Transition ending : endings) {
            if (ending.stopsRun() && ended.contains(RunId.of(ending.lease()))) {
                lost.computeIfAbsent(ending.lease().node(), node -> new ArrayList<>())
                        .add(RunId.of(ending.lease()));
            }
        }
        for (Map.Entry<NodeId, List<RunId>> runs : lost.entrySet()) {
            SqlRuns.ask(session, runs.getValue(), runs.getKey());
        }
    }

    /** Writes the audit row of an act. */
    public static void note(Session session, OperatorAct act, int jobs) throws SQLException {
        try (NamedStatement insert = session.statement(SqlStatement.NOTE)) {
            insert.setString("by", act.move().by());
            insert.setString("action", act.action());
            insert.setString("target", act.target());
            insert.setString("why", act.move().why());
            insert.setInt("jobs", jobs);
            insert.executeUpdate();
        }
    }
}
