package dev.treadle.storage.sql.admin;

import dev.treadle.job.Failure;
import dev.treadle.job.HistoryEntry.Event;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.KeyRule;
import dev.treadle.job.NodeId;
import dev.treadle.job.StateName;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.OperatorNote;
import dev.treadle.storage.RunId;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.WriteResult;
import dev.treadle.storage.sql.jobs.Batches;
import dev.treadle.storage.sql.jobs.SqlRetention;
import dev.treadle.storage.sql.jobs.SqlRuns;
import dev.treadle.storage.sql.keys.HeldJobs;
import dev.treadle.storage.sql.keys.KeyQueues;
import dev.treadle.storage.sql.keys.KeyQueues.Left;
import dev.treadle.storage.sql.keys.KeyRows;
import dev.treadle.storage.sql.keys.SqlKeys;
import dev.treadle.storage.sql.rows.Tally;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import dev.treadle.storage.sql.text.TraitsText;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The moves that people make: each in a transaction, of jobs that it {@linkplain HeldJobs holds}. */
public final class SqlOperators {
    /** A job moves on while it is looked for: how often to look again. */
    private static final int LOOKS_MAX = 10;

    /** Along the way of a job, so that one that moves on at the same time is met in the next table. */
    private static final List<Place> PLACES = List.of(
            new Place(SqlStatement.LEAVE_PARKED, StateName.PARKED),
            new Place(SqlStatement.LEAVE_DEFERRED, StateName.SCHEDULED),
            new Place(SqlStatement.LEAVE_READY, StateName.ENQUEUED),
            new Place(SqlStatement.LEAVE_LEASE, StateName.PROCESSING));

    private static final List<Place> WAITING = PLACES.subList(0, 3);

    private SqlOperators() {}

    public static WriteResult cancel(Session session, SqlKeys keys, JobId id, OperatorNote move) throws SQLException {
        return HeldJobs.move(session, keys, id, held -> cancel(held, id, move));
    }

    public static WriteResult cancel(HeldJobs held, JobId id, OperatorNote move) throws SQLException {
        JobTraits traits = held.traits(id);
        if (traits == null) {
            return WriteResult.MISSING;
        }
        Session session = held.session();
        KeyRows keys = held.keys();
        for (int look = 0; look < LOOKS_MAX; look++) {
            Left left = leave(session, keys, PLACES, id, traits.key());
            if (left != null) {
                new Tally().from(left.from(), 1).into(StateName.CANCELLED, 1).write(session);
                tell(session, id, Event.CANCELLED, StateName.CANCELLED, left.attempt(), move);
                return WriteResult.WRITTEN;
            }
            StateName state = SqlQueries.state(session, id);
            if (state.isFinal()) {
                return new WriteResult.Stale(state);
            }
        }
        throw new StorageException(
                "Job " + id + " moved on each time it was about to be cancelled. Try again.", null, true);
    }

    public static WriteResult runAgain(Session session, SqlKeys keys, JobId id, OperatorNote move) throws SQLException {
        return HeldJobs.move(session, keys, id, held -> runAgain(held, id, move));
    }

    public static WriteResult runAgain(HeldJobs held, JobId id, OperatorNote move) throws SQLException {
        JobTraits traits = held.traits(id);
        if (traits == null) {
            return WriteResult.MISSING;
        }
        Session session = held.session();
        KeyRows keys = held.keys();
        Integer attempt = number(session, SqlStatement.LEAVE_PARKED, id);
        boolean holdsSlot = false;
        StateName state = StateName.PARKED;
        if (attempt == null) {
            state = SqlQueries.state(session, id);
            if (!state.isFinal()) {
                return new WriteResult.Stale(state);
            }
        } else if (traits.key() != null) {
            holdsSlot = new KeyQueues(session, keys).leave(id, traits.key()) == null;
        }
        if (traits.key() == null || holdsSlot) {
            readyAgain(session, keys, id, traits);
        } else {
            new KeyQueues(session, keys).join(id, traits, 0);
        }
        new Tally().from(state, 1).into(StateName.ENQUEUED, 1).write(session);
        tell(session, id, Event.RUN_AGAIN, StateName.ENQUEUED, attempt, move);
        return WriteResult.WRITTEN;
    }

    /** With the attempts it has had. One that waits without a slot of its key joins the line; one that kept its slot runs. */
    static WriteResult runNow(HeldJobs held, JobId id) throws SQLException {
        JobTraits traits = held.traits(id);
        if (traits == null) {
            return WriteResult.MISSING;
        }
        Session session = held.session();
        KeyRows keys = held.keys();
        Left waited = null;
        Integer attempt = null;
        if (SqlQueries.state(session, id) == StateName.SCHEDULED) {
            waited = traits.key() == null ? null : new KeyQueues(session, keys).leave(id, traits.key());
            attempt = waited == null
                    ? number(session, SqlStatement.LEAVE_DEFERRED, id)
                    : Integer.valueOf(waited.attempt());
        }
        if (attempt == null) {
            return new WriteResult.Stale(SqlQueries.state(session, id));
        }
        if (waited != null) {
            new KeyQueues(session, keys).join(id, traits, attempt);
        } else {
            try (PreparedStatement insert = session.prepare(SqlStatement.READY_NOW)) {
                insert.setInt(1, keys.lane(traits));
                insert.setInt(2, traits.priority());
                insert.setObject(3, id.value());
                insert.setInt(4, attempt);
                insert.executeUpdate();
            }
        }
        new Tally().from(StateName.SCHEDULED, 1).into(StateName.ENQUEUED, 1).write(session);
        return WriteResult.WRITTEN;
    }

    static WriteResult delete(HeldJobs held, JobId id) throws SQLException {
        JobTraits traits = held.traits(id);
        if (traits == null) {
            return WriteResult.MISSING;
        }
        Session session = held.session();
        KeyRows keys = held.keys();
        for (int look = 0; look < LOOKS_MAX; look++) {
            Left left = leave(session, keys, WAITING, id, traits.key());
            StateName state = left != null ? left.from() : SqlQueries.state(session, id);
            if (left != null || state.isFinal()) {
                SqlRetention.forget(session, List.of(id.value()));
                new Tally().from(state, 1).write(session);
                return WriteResult.WRITTEN;
            }
            if (state == StateName.PROCESSING) {
                return new WriteResult.Stale(state);
            }
        }
        throw new StorageException(
                "Job " + id + " moved on each time it was about to be deleted. Try again.", null, true);
    }

    /** A job that waits takes over the call, the traits and the time of another; false if it does not wait any more. */
    static boolean replace(Session session, SqlKeys sqlKeys, JobId id, NewJob by) throws SQLException {
        HeldJobs held = HeldJobs.lock(session, sqlKeys, List.of(id), by.traits());
        JobTraits traits = held.traits(id);
        if (traits == null) {
            return false;
        }
        KeyRows keys = held.keys();
        Left left = leave(session, keys, WAITING, id, traits.key());
        if (left != null) {
            Instant now = KeyQueues.now(session);
            boolean later = by.due().from(now).isAfter(now);
            new Tally()
                    .from(left.from(), 1)
                    .into(later ? StateName.SCHEDULED : StateName.ENQUEUED, 1)
                    .write(session);
            body(session, id, by);
            NewJob placed = new NewJob(id, by.invocation(), by.due(), by.traits());
            if (!traits.labels().equals(by.traits().labels())) {
                relabel(session, placed);
            }
            if (by.traits().key() != null) {
                new KeyQueues(session, keys).placeLocked(List.of(placed));
            } else {
                place(session, keys, placed);
            }
        }
        held.settle();
        return left != null;
    }

    private static void body(Session session, JobId id, NewJob by) throws SQLException {
        try (PreparedStatement update = session.prepare(SqlStatement.REPLACE_BODY)) {
            update.setString(1, by.invocation().type());
            update.setString(2, by.invocation().method());
            update.setString(3, by.invocation().arguments());
            update.setInt(4, by.priority());
            update.setString(5, TraitsText.write(by.traits()));
            update.setObject(6, id.value());
            update.executeUpdate();
        }
    }

    private static void relabel(Session session, NewJob job) throws SQLException {
        try (PreparedStatement delete = session.prepare(SqlStatement.RETENTION_DELETE_LABEL)) {
            Object[] ids = {job.id().value()};
            delete.setArray(1, session.connection().createArrayOf("UUID", ids));
            delete.executeUpdate();
        }
        Batches.label(session, List.of(job), Set.of(job.id()));
    }

    private static void place(Session session, KeyRows keys, NewJob job) throws SQLException {
        Instant now = KeyQueues.now(session);
        Instant dueAt = job.due().from(now);
        if (!dueAt.isAfter(now)) {
            readyAgain(session, keys, job.id(), job.traits());
            return;
        }
        try (PreparedStatement defer = session.prepare(SqlStatement.DEFER)) {
            defer.setObject(1, job.id().value());
            defer.setObject(2, Rows.time(dueAt));
            defer.setInt(3, keys.lane(job.traits()));
            defer.setInt(4, job.priority());
            defer.setInt(5, 0);
            defer.executeUpdate();
        }
    }

    private static void readyAgain(Session session, KeyRows keys, JobId id, JobTraits traits) throws SQLException {
        try (PreparedStatement insert = session.prepare(SqlStatement.READY_AGAIN)) {
            insert.setInt(1, keys.lane(traits));
            insert.setInt(2, traits.priority());
            insert.setObject(3, id.value());
            insert.executeUpdate();
        }
    }

    /** Takes the job out of wherever it is, with its slot; answers where it was, or null if it was in none of them. */
    private static @Nullable Left leave(
            Session session, KeyRows keys, List<Place> places, JobId id, @Nullable KeyRule rule) throws SQLException {
        Left left = rule == null ? null : new KeyQueues(session, keys).leave(id, rule);
        if (left != null && left.from() != StateName.PARKED) {
            return left;
        }
        for (Place place : places) {
            Integer attempt = place.leave() == SqlStatement.LEAVE_LEASE
                    ? leaveLease(session, id)
                    : number(session, place.leave(), id);
            if (attempt != null) {
                if (rule != null && left == null) {
                    keys.release(rule);
                }
                return new Left(attempt, place.state());
            }
        }
        return null;
    }

    /** A table that may hold a job, and where the job stands then. */
    private record Place(SqlStatement leave, StateName state) {}

    /** Asks the run that loses its lease to end. */
    private static @Nullable Integer leaveLease(Session session, JobId id) throws SQLException {
        try (PreparedStatement statement = session.prepare(SqlStatement.LEAVE_LEASE)) {
            statement.setObject(1, id.value());
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    return null;
                }
                int attempt = row.getInt(1);
                SqlRuns.ask(session, List.of(new RunId(id, row.getLong(2))), new NodeId(row.getLong(3)));
                return attempt;
            }
        }
    }

    private static @Nullable Integer number(Session session, SqlStatement verb, JobId id) throws SQLException {
        try (PreparedStatement statement = session.prepare(verb)) {
            statement.setObject(1, id.value());
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getInt(1) : null;
            }
        }
    }

    /** Of a job that had ended no place tells the attempt: null then, and the statement finds it. */
    private static void tell(
            Session session, JobId id, Event event, StateName next, @Nullable Integer attempt, OperatorNote move)
            throws SQLException {
        Failure why = move.why() == null ? null : Failure.because("", move.why());
        try (PreparedStatement insert = session.prepare(SqlStatement.MOVE)) {
            insert.setObject(1, id.value());
            insert.setInt(2, event.code());
            insert.setInt(3, next.code());
            insert.setObject(4, attempt, Types.INTEGER);
            insert.setObject(5, id.value());
            insert.setString(6, move.by());
            insert.setString(7, why == null ? null : why.type());
            insert.setString(8, why == null ? null : why.message());
            insert.setString(9, why == null ? null : why.trace());
            insert.executeUpdate();
        }
    }
}
