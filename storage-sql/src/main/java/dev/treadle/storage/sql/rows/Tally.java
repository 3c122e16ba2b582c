package dev.treadle.storage.sql.rows;

import dev.treadle.job.StateName;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.EnumMap;
import java.util.Map;

/**
 * How many jobs one transaction brings into each state, less those that it takes out. PostgreSQL's verbs do this in
 * their own statement; this is for those that take several.
 */
public final class Tally {
    /** In the order of the columns. */
    private static final StateName[] COLUMNS = {
        StateName.SCHEDULED,
        StateName.ENQUEUED,
        StateName.PROCESSING,
        StateName.SUCCEEDED,
        StateName.FAILED,
        StateName.CANCELLED,
        StateName.PARKED,
        StateName.WAITING
    };

    private static final String[] NAMES = {
        "scheduled", "enqueued", "processing", "succeeded", "failed", "cancelled", "parked", "waiting"
    };

    /** Most rows made into one at a time. */
    public static final int FOLD_MAX = 20_000;

    private final Map<StateName, Long> changes = new EnumMap<>(StateName.class);

    public Tally into(StateName state, int jobs) {
        changes.merge(state, (long) jobs, Long::sum);
        return this;
    }

    public Tally from(StateName state, int jobs) {
        return into(state, -jobs);
    }

    /** One job goes from where it stood to where the transition takes it. */
    public Tally of(Transition change) {
        if (change.from().state() != null) {
            from(change.from().state(), 1);
        }
        return change.to().state() == null ? this : into(change.to().state(), 1);
    }

    /** Adds what a row says in its columns from this one on. */
    public void add(ResultSet row, int column) throws SQLException {
        for (int i = 0; i < COLUMNS.length; i++) {
            changes.merge(COLUMNS[i], row.getLong(column + i), Long::sum);
        }
    }

    public void write(Session session) throws SQLException {
        if (changes.values().stream().allMatch(change -> change == 0)) {
            return;
        }
        try (NamedStatement insert = session.statement(SqlStatement.TALLY)) {
            for (int i = 0; i < COLUMNS.length; i++) {
                insert.setObject(NAMES[i], changes.get(COLUMNS[i]), Types.BIGINT);
            }
            insert.executeUpdate();
        }
    }

    public static Map<StateName, Long> read(Session session) throws SQLException {
        Map<StateName, Long> counts = new EnumMap<>(StateName.class);
        try (NamedStatement select = session.statement(SqlStatement.COUNTS);
                ResultSet row = select.executeQuery()) {
            row.next();
            for (int i = 0; i < COLUMNS.length; i++) {
                counts.put(COLUMNS[i], row.getLong(i + 1));
            }
        }
        return counts;
    }
}
