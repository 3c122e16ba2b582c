package dev.treadle.storage.sql.session;

import dev.treadle.job.Invocation;
import dev.treadle.job.Job;
import dev.treadle.job.JobId;
import dev.treadle.job.JobState;
import dev.treadle.job.NodeId;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RunId;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.sql.text.TraitsText;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Columns to values and back. */
public final class Rows {
    private static final long NANOS_PER_MICRO = 1_000;

    private Rows() {}

    /** Reads all rows of: body (7 columns), attempt, token, node, claimed_at. */
    public static List<Lease> allLeased(ResultSet rows) throws SQLException {
        List<Lease> leased = new ArrayList<>();
        while (rows.next()) {
            leased.add(leased(rows));
        }
        return leased;
    }

    /** Reads one row of the same columns. */
    public static Lease leased(ResultSet row) throws SQLException {
        JobState state = new JobState.Processing(instant(row, 11), new NodeId(row.getLong(10)));
        return new Lease(job(row, row.getInt(8), state), row.getLong(9));
    }

    /** Reads the seven columns of a body. */
    public static Job job(ResultSet row, int attempt, JobState state) throws SQLException {
        return new Job(
                JobId.of(uuid(row, 1)),
                new Invocation(row.getString(2), row.getString(3), row.getString(4)),
                TraitsText.read(row.getInt(5), row.getString(6)),
                instant(row, 7),
                attempt,
                state);
    }

    /** Sets what the database does not know of a new job's body. */
    public static void body(NamedStatement insert, NewJob job) throws SQLException {
        insert.setObject("id", job.id().value());
        insert.setString("type", job.invocation().type());
        insert.setString("method", job.invocation().method());
        insert.setString("arguments", job.invocation().arguments());
        insert.setInt("priority", job.priority());
        insert.setString("traits", TraitsText.write(job.traits()));
    }

    /** Reads what a statement answers in rows of: job, token. */
    public static Set<RunId> runs(NamedStatement statement) throws SQLException {
        Set<RunId> runs = new HashSet<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                runs.add(new RunId(JobId.of(uuid(rows, 1)), rows.getLong(2)));
            }
        }
        return runs;
    }

    /**
     * The same of: job, token, whether others run after it.
     *
     * @param followed gets those after which others run
     */
    public static Set<RunId> ended(NamedStatement statement, Collection<RunId> followed) throws SQLException {
        Set<RunId> runs = new HashSet<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                RunId run = new RunId(JobId.of(uuid(rows, 1)), rows.getLong(2));
                runs.add(run);
                if (rows.getBoolean(3)) {
                    followed.add(run);
                }
            }
        }
        return runs;
    }

    public static UUID uuid(ResultSet row, int column) throws SQLException {
        return row.getObject(column, UUID.class);
    }

    public static Instant instant(ResultSet row, int column) throws SQLException {
        Instant instant = instantOrNull(row, column);
        if (instant == null) {
            throw new SQLException("Column " + column + " is null and must hold a time: the row was changed by hand.");
        }
        return instant;
    }

    public static @Nullable Instant instantOrNull(ResultSet row, int column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    public static @Nullable OffsetDateTime time(@Nullable Instant instant) {
        return instant == null ? null : instant.atOffset(ZoneOffset.UTC);
    }

    /** In microseconds, rounded up, so that no job is due early. */
    public static @Nullable Long micros(@Nullable Duration duration) {
        return duration == null ? null : Math.floorDiv(duration.toNanos() + NANOS_PER_MICRO - 1, NANOS_PER_MICRO);
    }

    public static @Nullable Duration duration(@Nullable Long micros) {
        return micros == null ? null : Duration.ofNanos(micros * NANOS_PER_MICRO);
    }

    /** The text in the first column of the only row; empty if there is no row. */
    public static String onlyText(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.next() ? String.valueOf(row.getString(1)) : "";
        }
    }
}
