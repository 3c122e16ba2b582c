package dev.treadle.storage.sql.jobs;

import dev.treadle.job.JobId;
import dev.treadle.job.JobStep;
import dev.treadle.lifecycle.RunId;
import dev.treadle.storage.RunStorage.NewStep;
import dev.treadle.storage.RunStorage.StepAnswer;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import dev.treadle.storage.sql.text.NamesText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** What steps of jobs returned. As thread-safe as its transactions. */
public final class SqlSteps {
    private static final List<SqlStatement> FORGETTING =
            List.of(SqlStatement.FORGET_STEPS, SqlStatement.FORGET_EVENTS, SqlStatement.FORGET_EVENT_GATES);

    private SqlSteps() {}

    static List<JobStep> list(Session session, JobId job, int from, int max) throws SQLException {
        List<JobStep> steps = new ArrayList<>();
        try (NamedStatement select = session.statement(SqlStatement.STEPS)) {
            select.setObject("job_id", job.value());
            select.setInt("max", max);
            select.setInt("from", from);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    steps.add(step(row));
                }
            }
        }
        return steps;
    }

    public static StepAnswer record(Session session, RunId run, NewStep step) throws SQLException {
        try (NamedStatement insert = session.statement(SqlStatement.RECORD_STEP)) {
            insert.setString("name", step.name());
            insert.setLong("took_micros", step.took().toNanos() / 1_000);
            insert.setString("result", step.result());
            insert.setString("secrets", NamesText.write(step.secrets()));
            insert.setObject("job_id", run.job().value());
            insert.setLong("token", run.token());
            return insert.executeUpdate() == 1 ? new StepAnswer.Recorded() : refused(session, run, step.name());
        }
    }

    /** Why nothing was written. */
    private static StepAnswer refused(Session session, RunId run, String name) throws SQLException {
        try (NamedStatement select = session.statement(SqlStatement.STEP)) {
            select.setObject("job_id", run.job().value());
            select.setString("name", name);
            select.setLong("token", run.token());
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? new StepAnswer.Known(step(row)) : new StepAnswer.LeaseLost();
            }
        }
    }

    /** In the transaction of a change that makes a job begin anew. */
    public static void forget(Session session, JobId job) throws SQLException {
        for (SqlStatement verb : FORGETTING) {
            try (NamedStatement delete = session.statement(verb)) {
                delete.setObject("job_id", job.value());
                delete.executeUpdate();
            }
        }
    }

    private static JobStep step(ResultSet row) throws SQLException {
        return new JobStep(
                row.getString(1),
                row.getInt(2),
                Rows.instant(row, 3),
                Duration.of(row.getLong(4), ChronoUnit.MICROS),
                row.getString(5),
                NamesText.read(row.getString(6)));
    }
}
