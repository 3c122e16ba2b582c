package dev.treadle.storage.sql.rows;

import dev.treadle.job.Invocation;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.lifecycle.RecurringJob;
import dev.treadle.lifecycle.RecurringJob.Plan;
import dev.treadle.lifecycle.RecurringJob.Progress;
import dev.treadle.lifecycle.RecurringJob.Standing;
import dev.treadle.lifecycle.RecurringJob.Status;
import dev.treadle.schedule.Missed;
import dev.treadle.schedule.Overlap;
import dev.treadle.schedule.RecurringRules;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.text.TraitsText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Rows of {@code treadle_recurring} to values and back. */
public final class RecurringRows {
    private static final Logger LOG = LoggerFactory.getLogger(RecurringRows.class);

    private RecurringRows() {}

    public static List<RecurringJob> all(NamedStatement select) throws SQLException {
        List<RecurringJob> all = new ArrayList<>();
        try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                all.add(one(rows));
            }
        }
        return all;
    }

    /** Reads the first 21 columns. */
    public static RecurringJob one(ResultSet row) throws SQLException {
        JobTraits traits = TraitsText.read(row.getInt(6), row.getString(7));
        return new RecurringJob(
                row.getString(1),
                new Plan(
                        new Invocation(row.getString(3), row.getString(4), row.getString(5)),
                        traits,
                        row.getString(8),
                        row.getString(9),
                        rules(row)),
                new Progress(Rows.instantOrNull(row, 14), Rows.instantOrNull(row, 15), job(row, 16), job(row, 17)),
                new Standing(
                        Status.valueOf(row.getString(18)), row.getString(19), row.getString(20), Rows.instant(row, 21)),
                row.getLong(2));
    }

    private static RecurringRules rules(ResultSet row) throws SQLException {
        try {
            return new RecurringRules(
                    Missed.parse(row.getString(10)),
                    micros(row, 11),
                    Overlap.valueOf(row.getString(12)),
                    micros(row, 13));
        } catch (IllegalArgumentException e) {
            // why not thrown: one row that was spoilt by hand would stop all others
            LOG.error(
                    "The rules of the recurring job '{}' cannot be read and count as the usual ones.",
                    row.getString(1),
                    e);
            return RecurringRules.DEFAULT;
        }
    }

    /** Sets all columns but the id, the version one up. */
    public static void set(NamedStatement write, RecurringJob job) throws SQLException {
        Plan plan = job.plan();
        write.setLong("version", job.version() + 1);
        write.setString("type", plan.invocation().type());
        write.setString("method", plan.invocation().method());
        write.setString("arguments", plan.invocation().arguments());
        write.setInt("priority", plan.traits().priority());
        write.setString("traits", TraitsText.write(plan.traits()));
        write.setString("schedule", plan.schedule());
        write.setString("declared", plan.declared());
        write.setString("missed", plan.rules().missed().toText());
        write.setObject("missed_after", Rows.micros(plan.rules().missedAfter()));
        write.setString("overlap", plan.rules().overlap().name());
        write.setObject("jitter", Rows.micros(plan.rules().jitter()));
        progress(write, job.progress());
        write.setString("status", job.standing().status().name());
        write.setString("changed_by", job.standing().by());
        write.setString("changed_why", job.standing().why());
        write.setObject("changed_at", Rows.time(job.standing().since()));
    }

    /** Sets next_at, last_slot, last_job and awaited. */
    public static void progress(NamedStatement write, Progress progress) throws SQLException {
        write.setObject("next_at", Rows.time(progress.next()));
        write.setObject("last_slot", Rows.time(progress.slot()));
        write.setObject("last_job", uuid(progress.job()));
        write.setObject("awaited", uuid(progress.awaited()));
    }

    public static @Nullable UUID uuid(@Nullable JobId job) {
        return job == null ? null : job.value();
    }

    private static @Nullable JobId job(ResultSet row, int column) throws SQLException {
        UUID id = row.getObject(column, UUID.class);
        return id == null ? null : JobId.of(id);
    }

    private static Duration micros(ResultSet row, int column) throws SQLException {
        return Objects.requireNonNull(Rows.duration(row.getLong(column)));
    }
}
