package dev.treadle.storage.sql.jobs;

import dev.treadle.job.JobId;
import dev.treadle.job.JobStep;
import dev.treadle.lifecycle.RunId;
import dev.treadle.storage.StepStorage;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import dev.treadle.storage.sql.session.Transactions;
import dev.treadle.storage.sql.text.NamesText;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** What steps of jobs returned. As thread-safe as its transactions. */
public final class SqlSteps implements StepStorage {
    private final Transactions transactions;

    public SqlSteps(Transactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public List<JobStep> list(JobId job, int from, int max) {
        return transactions.statement("look up the steps of job " + job, true, session -> {
            List<JobStep> steps = new ArrayList<>();
            try (PreparedStatement select = session.prepare(SqlStatement.STEPS)) {
                select.setObject(1, job.value());
                select.setInt(2, max);
                select.setInt(3, from);
                try (ResultSet row = select.executeQuery()) {
                    while (row.next()) {
                        steps.add(step(row));
                    }
                }
            }
            return steps;
        });
    }

    @Override
    public Answer record(RunId run, NewStep step) {
        return transactions.statement(
                "record step '" + step.name() + "' of job " + run.job(), true, session -> record(session, run, step));
    }

    public static Answer record(Session session, RunId run, NewStep step) throws SQLException {
        try (PreparedStatement insert = session.prepare(SqlStatement.RECORD_STEP)) {
            insert.setString(1, step.name());
            insert.setLong(2, step.took().toNanos() / 1_000);
            insert.setString(3, step.result());
            insert.setString(4, NamesText.write(step.secrets()));
            insert.setObject(5, run.job().value());
            insert.setLong(6, run.token());
            insert.setObject(7, run.job().value());
            insert.setString(8, step.name());
            return insert.executeUpdate() == 1 ? new Answer.Recorded() : refused(session, run, step.name());
        }
    }

    /** Why nothing was written. */
    private static Answer refused(Session session, RunId run, String name) throws SQLException {
        try (PreparedStatement select = session.prepare(SqlStatement.STEP)) {
            select.setObject(1, run.job().value());
            select.setString(2, name);
            select.setLong(3, run.token());
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? new Answer.Known(step(row)) : new Answer.LeaseLost();
            }
        }
    }

    /** In the transaction of a change that makes a job begin anew. */
    public static void forget(Session session, JobId job) throws SQLException {
        try (PreparedStatement delete = session.prepare(SqlStatement.FORGET_STEPS)) {
            delete.setObject(1, job.value());
            delete.executeUpdate();
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
