package dev.treadle.storage.sql.jobs;

import dev.treadle.job.GateId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.NodeId;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.RetentionSettings;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.StorageProvider.RetentionStep;
import dev.treadle.storage.sql.rows.Tally;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import dev.treadle.storage.sql.session.Transactions;
import dev.treadle.storage.sql.text.TraitsText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Walks over all jobs by their ids, a page at a time, and deletes those whose time is over. Most ids are made by Treadle
 * and begin with the time they were made, so those that are too young to have ended long ago are passed over at once;
 * the others are looked at whatever they are. Thread-safe.
 */
public final class SqlRetention {
    private static final UUID FIRST = new UUID(0, 0);
    private static final UUID LAST = new UUID(-1, -1);
    /** How far ahead of the storage's clock that of an enqueuing process may be, for its young jobs to be passed over. */
    private static final Duration CLOCKS_AHEAD_MAX = Duration.ofDays(1);

    private static final List<SqlStatement> DELETES = List.of(
            SqlStatement.RETENTION_DELETE_LABEL,
            SqlStatement.RETENTION_DELETE_LOG,
            SqlStatement.RETENTION_DELETE_PROGRESS,
            SqlStatement.RETENTION_DELETE_RESULT,
            SqlStatement.RETENTION_DELETE_STEP,
            SqlStatement.RETENTION_DELETE_EVENT,
            SqlStatement.RETENTION_DELETE_GATE,
            SqlStatement.RETENTION_DELETE_EDGE,
            SqlStatement.RETENTION_DELETE_HISTORY,
            SqlStatement.RETENTION_DELETE_JOB);

    private final Transactions transactions;

    public SqlRetention(Transactions transactions) {
        this.transactions = transactions;
    }

    /** See {@link StorageProvider#deleteEnded}. */
    public RetentionStep step(NodeId node, RetentionSettings settings, int max) {
        Duration shortest = settings.shortest();
        if (shortest == null) {
            return new RetentionStep(true, 0, true);
        }
        return transactions.transaction("delete jobs that ended long ago", true, session -> {
            if (!mayWalk(session, node)) {
                return new RetentionStep(false, 0, false);
            }
            Way way = Way.from(session, shortest);
            List<Candidate> page = page(session, way, max);
            Map<UUID, Candidate> over = new HashMap<>();
            page.stream().filter(one -> one.isOver(settings, way.now)).forEach(one -> over.put(one.id, one));
            int deleted = over.isEmpty() ? 0 : delete(session, over);
            boolean full = page.size() == max;
            UUID walked = full ? page.get(page.size() - 1).id : way.isBeforeTheYoung ? way.afterTheYoung : FIRST;
            went(session, walked);
            return new RetentionStep(true, deleted, !full && !way.isBeforeTheYoung);
        });
    }

    private static boolean mayWalk(Session session, NodeId node) throws SQLException {
        try (NamedStatement turn = session.statement(SqlStatement.RETENTION_TURN)) {
            turn.setLong("node", node.value());
            return turn.executeUpdate() == 1;
        }
    }

    private static void went(Session session, UUID walked) throws SQLException {
        try (NamedStatement update = session.statement(SqlStatement.RETENTION_WENT)) {
            update.setObject("walked", walked);
            update.executeUpdate();
        }
    }

    private static List<Candidate> page(Session session, Way way, int max) throws SQLException {
        try (NamedStatement select = session.statement(SqlStatement.RETENTION_PAGE)) {
            select.setObject("from_id", way.from);
            select.setObject("to_id", way.to);
            select.setInt("max", max);
            List<Candidate> page = new ArrayList<>();
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    long token = row.getLong(3);
                    page.add(
                            row.wasNull()
                                    ? new Candidate(
                                            Rows.uuid(row, 1), row.getString(2), 0, StateName.ENQUEUED, Instant.MAX)
                                    : new Candidate(
                                            Rows.uuid(row, 1),
                                            row.getString(2),
                                            token,
                                            StateName.of(row.getInt(4)),
                                            Rows.instant(row, 5)));
                }
            }
            return page;
        }
    }

    private static int delete(Session session, Map<UUID, Candidate> over) throws SQLException {
        List<UUID> locked = new ArrayList<>();
        Map<UUID, UUID> gates = new HashMap<>();
        Set<UUID> followed = new HashSet<>();
        try (NamedStatement lock = session.statement(SqlStatement.RETENTION_LOCK)) {
            setIds(session, lock, over.keySet());
            try (ResultSet row = lock.executeQuery()) {
                while (row.next()) {
                    locked.add(Rows.uuid(row, 1));
                    JobTraits traits = TraitsText.read(0, row.getString(2));
                    GateId gate = traits.gate();
                    if (traits.isFollowed()) {
                        followed.add(Rows.uuid(row, 1));
                    }
                    if (gate != null) {
                        gates.put(Rows.uuid(row, 1), gate.value());
                    }
                }
            }
        }
        Set<UUID> needed = needed(session, SqlStatement.NEEDED_GATES, new HashSet<>(gates.values()));
        locked.removeIf(id -> needed.contains(gates.get(id)));
        locked.removeAll(needed(session, SqlStatement.NEEDED_JOBS, followed));
        // why again, and only now: a job that was run again before the lock was taken is seen by no earlier statement
        List<UUID> unmoved = new ArrayList<>();
        Tally gone = new Tally();
        try (NamedStatement newest = session.statement(SqlStatement.RETENTION_NEWEST)) {
            setIds(session, newest, locked);
            try (ResultSet row = newest.executeQuery()) {
                while (row.next()) {
                    UUID id = Rows.uuid(row, 1);
                    if (over.get(id).token == row.getLong(2)) {
                        unmoved.add(id);
                        gone.from(over.get(id).next, 1);
                    }
                }
            }
        }
        if (!unmoved.isEmpty()) {
            forget(session, unmoved);
            gone.write(session);
        }
        return unmoved.size();
    }

    /**
     * Those gates at which a job waits that has not ended, because it may read what those returned that they count; or those
     * jobs that others wait to run after.
     */
    private static Set<UUID> needed(Session session, SqlStatement verb, Set<UUID> of) throws SQLException {
        Set<UUID> needed = new HashSet<>();
        if (!of.isEmpty()) {
            try (NamedStatement select = session.statement(verb)) {
                setIds(session, select, of);
                try (ResultSet row = select.executeQuery()) {
                    while (row.next()) {
                        needed.add(Rows.uuid(row, 1));
                    }
                }
            }
        }
        return needed;
    }

    /** Deletes everything about jobs that are in no place. */
    public static void forget(Session session, Collection<UUID> jobs) throws SQLException {
        for (SqlStatement verb : DELETES) {
            try (NamedStatement delete = session.statement(verb)) {
                setIds(session, delete, jobs);
                delete.executeUpdate();
            }
        }
    }

    private static void setIds(Session session, NamedStatement statement, Collection<UUID> ids) throws SQLException {
        statement.setArray("ids", session.connection().createArrayOf("UUID", ids.toArray()));
    }

    /** A job and the last row of its history. */
    private record Candidate(UUID id, String type, long token, StateName next, Instant at) {
        boolean isOver(RetentionSettings settings, Instant now) {
            return next.isFinal() && settings.isOver(type, next, Duration.between(at, now));
        }
    }

    /** Between which ids the next page lies. */
    private record Way(UUID from, UUID to, boolean isBeforeTheYoung, UUID afterTheYoung, Instant now) {
        static Way from(Session session, Duration shortest) throws SQLException {
            try (NamedStatement select = session.statement(SqlStatement.RETENTION_WALKED);
                    ResultSet row = select.executeQuery()) {
                if (!row.next()) {
                    throw new SQLException("The only row of treadle_retention is missing: it was deleted by hand.");
                }
                UUID walked = Rows.uuid(row, 1);
                Instant now = Rows.instant(row, 2);
                UUID young = firstOf(now.minus(shortest));
                UUID afterTheYoung = firstOf(now.plus(CLOCKS_AHEAD_MAX));
                return Long.compareUnsigned(walked.getMostSignificantBits(), young.getMostSignificantBits()) < 0
                        ? new Way(walked, young, true, afterTheYoung, now)
                        : new Way(walked, LAST, false, afterTheYoung, now);
            }
        }

        /** Smaller than every id that Treadle makes at that time. */
        private static UUID firstOf(Instant time) {
            return new UUID(Math.max(0, time.toEpochMilli()) << 16, 0);
        }
    }
}
