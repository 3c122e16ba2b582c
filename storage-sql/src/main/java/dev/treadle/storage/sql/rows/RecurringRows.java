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
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.text.TraitsText;
import java.sql.PreparedStatement;
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

    public static List<RecurringJob> all(PreparedStatement select) throws SQLException {
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

    /** Sets all columns but those of the condition, the version one up; gives the number of the next parameter. */
    public static int set(PreparedStatement write, RecurringJob job) throws SQLException {
        Plan plan = job.plan();
        write.setLong(1, job.version() + 1);
        write.setString(2, plan.invocation().type());
        write.setString(3, plan.invocation().method());
        write.setString(4, plan.invocation().arguments());
        write.setInt(5, plan.traits().priority());
        write.setString(6, TraitsText.write(plan.traits()));
        write.setString(7, plan.schedule());
        write.setString(8, plan.declared());
        write.setString(9, plan.rules().missed().toText());
        write.setObject(10, Rows.micros(plan.rules().missedAfter()));
        write.setString(11, plan.rules().overlap().name());
        write.setObject(12, Rows.micros(plan.rules().jitter()));
        int parameter = progress(write, 13, job.progress());
        write.setString(parameter++, job.standing().status().name());
        write.setString(parameter++, job.standing().by());
        write.setString(parameter++, job.standing().why());
        write.setObject(parameter++, Rows.time(job.standing().since()));
        return parameter;
    }

    /** Sets next_at, last_slot, last_job and awaited; gives the number of the next parameter. */
    public static int progress(PreparedStatement write, int from, Progress progress) throws SQLException {
        write.setObject(from, Rows.time(progress.next()));
        write.setObject(from + 1, Rows.time(progress.slot()));
        write.setObject(from + 2, uuid(progress.job()));
        write.setObject(from + 3, uuid(progress.awaited()));
        return from + 4;
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
