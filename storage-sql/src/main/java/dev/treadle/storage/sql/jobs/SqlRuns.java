package dev.treadle.storage.sql.jobs;

import dev.treadle.job.Failure;
import dev.treadle.job.JobId;
import dev.treadle.job.JobResult;
import dev.treadle.job.JobStep;
import dev.treadle.job.NodeId;
import dev.treadle.job.RunNotes;
import dev.treadle.job.RunNotes.LogLine;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.Completion;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.StopRequest;
import dev.treadle.storage.GateStorage;
import dev.treadle.storage.NotesPage;
import dev.treadle.storage.NotesUpdate;
import dev.treadle.storage.RunStorage;
import dev.treadle.storage.sql.portable.DialectStatements;
import dev.treadle.storage.sql.rows.SaidLine;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import dev.treadle.storage.sql.session.Transactions;
import dev.treadle.storage.sql.text.MetaText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What belongs to single runs. Thread-safe. */
public final class SqlRuns implements RunStorage {
    private final Transactions transactions;
    private final Transactions endings;
    private final DialectStatements verbs;
    private final GateStorage gates;

    /** @param endings for what is written before the ending of a run is */
    public SqlRuns(Transactions transactions, Transactions endings, DialectStatements verbs, GateStorage gates) {
        this.transactions = transactions;
        this.endings = endings;
        this.verbs = verbs;
        this.gates = gates;
    }

    @Override
    public List<StopRequest> stopRequests(@Nullable NodeId node) {
        return transactions.statement("look for runs that should end", true, session -> {
            SqlStatement verb = node == null ? SqlStatement.STILL_RUNNING : SqlStatement.STOP_REQUESTS;
            try (NamedStatement select = session.statement(verb)) {
                if (node != null) {
                    select.setLong("node", node.value());
                }
                select.setInt("max", RUNS_MAX);
                return requests(select);
            }
        });
    }

    private static List<StopRequest> requests(NamedStatement select) throws SQLException {
        List<StopRequest> requests = new ArrayList<>();
        try (ResultSet row = select.executeQuery()) {
            while (row.next()) {
                Instant askedAt = Rows.instant(row, 4);
                Duration since = Duration.between(askedAt, Rows.instant(row, 5));
                requests.add(new StopRequest(
                        new RunId(JobId.of(Rows.uuid(row, 1)), row.getLong(2)),
                        new NodeId(row.getLong(3)),
                        askedAt,
                        since.isNegative() ? Duration.ZERO : since));
            }
        }
        return requests;
    }

    /** In the transaction that takes leases away. */
    public static void ask(Session session, Collection<RunId> runs, NodeId node) throws SQLException {
        try (NamedStatement insert = session.statement(SqlStatement.ASK_TO_STOP)) {
            for (RunId run : runs) {
                insert.setObject("job_id", run.job().value());
                insert.setLong("token", run.token());
                insert.setLong("node", node.value());
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    @Override
    public void ended(Collection<RunId> runs) {
        List<RunId> sorted = new ArrayList<>(runs);
        sorted.sort(Comparator.comparing(RunId::job).thenComparing(RunId::token));
        transactions.transaction("say that runs have ended", true, session -> {
            try (NamedStatement delete = session.statement(SqlStatement.RUN_ENDED)) {
                for (RunId run : sorted) {
                    delete.setObject("job_id", run.job().value());
                    delete.setLong("token", run.token());
                    delete.addBatch();
                }
                return delete.executeBatch();
            }
        });
    }

    /** Forgets the requests to end runs of nodes that are gone. */
    public void forgetRequestsToGoneNodes() {
        transactions.statement("forget runs of nodes that are gone", true, session -> {
            try (NamedStatement delete = session.statement(SqlStatement.FORGET_RUNS)) {
                return delete.executeUpdate();
            }
        });
    }

    @Override
    public void tell(List<NotesUpdate> told) {
        // of each job the newest run only: one statement cannot write a row twice
        Map<JobId, NotesUpdate> newest = new HashMap<>();
        for (NotesUpdate one : told) {
            newest.merge(
                    one.run().job(), one, (a, b) -> a.run().token() > b.run().token() ? a : b);
        }
        List<NotesUpdate> progress = newest.values().stream()
                .sorted(Comparator.comparing(one -> one.run().job()))
                .toList();
        List<SaidLine> lines = told.stream()
                .flatMap(one -> one.notes().log().stream().map(line -> new SaidLine(one.run(), line)))
                .sorted(Comparator.comparing((SaidLine said) -> said.run().job())
                        .thenComparing(said -> said.run().token())
                        .thenComparing(said -> said.line().number()))
                .toList();
        endings.transaction("keep what " + told.size() + " runs tell", true, session -> {
            verbs.tellProgress(session, progress);
            if (!lines.isEmpty()) {
                verbs.tellLines(session, lines);
            }
            return true;
        });
    }

    @Override
    public Optional<NotesPage> notes(JobId id, NotesPage.@Nullable Place after, int max) {
        return transactions.statement("look up what a job tells", true, session -> {
            try (NamedStatement select = session.statement(SqlStatement.NOTES)) {
                select.setObject("job_id", id.value());
                try (ResultSet row = select.executeQuery()) {
                    if (!row.next()) {
                        return Optional.empty();
                    }
                    RunNotes last = new RunNotes(
                            Rows.instant(row, 1),
                            row.getObject(2, Long.class),
                            row.getObject(3, Long.class),
                            MetaText.read(row.getString(4)),
                            List.of());
                    List<NotesPage.Said> lines = lines(session, id, after, max + 1);
                    boolean more = lines.size() > max;
                    if (more) {
                        lines.remove(max);
                    }
                    if (after == null) {
                        Collections.reverse(lines);
                    }
                    return Optional.of(new NotesPage(last, lines, more));
                }
            }
        });
    }

    /** The lines behind a place; without one the last ones, newest first. */
    private static List<NotesPage.Said> lines(Session session, JobId id, NotesPage.@Nullable Place after, int max)
            throws SQLException {
        List<NotesPage.Said> lines = new ArrayList<>();
        try (NamedStatement select = session.statement(after == null ? SqlStatement.LOG : SqlStatement.LOG_AFTER)) {
            select.setObject("job_id", id.value());
            if (after != null) {
                select.setLong("token", after.token());
                select.setInt("line", after.line());
            }
            select.setInt("max", max);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    lines.add(new NotesPage.Said(
                            new NotesPage.Place(row.getLong(1), row.getInt(2)),
                            new LogLine(row.getInt(2), Rows.instant(row, 3), row.getString(4))));
                }
            }
        }
        return lines;
    }

    @Override
    public List<JobStep> steps(JobId job, int from, int max) {
        return transactions.statement(
                "look up the steps of job " + job, true, session -> SqlSteps.list(session, job, from, max));
    }

    @Override
    public StepAnswer recordStep(RunId run, NewStep step) {
        return transactions.statement(
                "record step '" + step.name() + "' of job " + run.job(),
                true,
                session -> SqlSteps.record(session, run, step));
    }

    @Override
    public GateStorage gates() {
        return gates;
    }

    @Override
    public Map<JobId, Completion> endings(Collection<JobId> ids) {
        Object[] values = ids.stream().map(JobId::value).toArray();
        return transactions.statement("look up how " + ids.size() + " jobs ended", true, session -> {
            Map<JobId, Completion> endings = new HashMap<>();
            try (NamedStatement select = session.statement(SqlStatement.ENDINGS)) {
                select.setArray("ids", session.connection().createArrayOf("UUID", values));
                try (ResultSet row = select.executeQuery()) {
                    while (row.next()) {
                        endings.put(JobId.of(Rows.uuid(row, 1)), ending(row));
                    }
                }
            }
            return endings;
        });
    }

    private static Completion ending(ResultSet row) throws SQLException {
        @Nullable String type = row.getString(6);
        return new Completion(
                StateName.of(row.getInt(2)),
                row.getObject(3) == null ? null : new JobResult(row.getString(4), row.getString(5)),
                type == null ? null : new Failure(type, row.getString(7), row.getString(8)));
    }
}
