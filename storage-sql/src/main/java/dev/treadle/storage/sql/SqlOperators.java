package dev.treadle.storage.sql;

import dev.treadle.job.Failure;
import dev.treadle.job.HistoryEntry.Event;
import dev.treadle.job.JobId;
import dev.treadle.job.StateName;
import dev.treadle.storage.Move;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.WriteResult;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The moves that people make, each in one transaction that holds the job's body against other people's moves. */
final class SqlOperators {
    /** A job moves on while it is looked for: how often to look again. */
    private static final int LOOKS_MAX = 10;

    /** Along the way of a job, so that one that moves on meanwhile is met in the next table. */
    private static final Map<Verb, StateName> PLACES = places();

    private SqlOperators() {}

    private static Map<Verb, StateName> places() {
        Map<Verb, StateName> places = new LinkedHashMap<>();
        places.put(Verb.LEAVE_PARKED, StateName.PARKED);
        places.put(Verb.LEAVE_DEFERRED, StateName.SCHEDULED);
        places.put(Verb.LEAVE_READY, StateName.ENQUEUED);
        places.put(Verb.LEAVE_LEASE, StateName.PROCESSING);
        return Collections.unmodifiableMap(places);
    }

    static WriteResult cancel(Session session, JobId id, Move move) throws SQLException {
        if (lock(session, id) == null) {
            return WriteResult.MISSING;
        }
        for (int look = 0; look < LOOKS_MAX; look++) {
            for (Verb place : PLACES.keySet()) {
                Integer attempt = leave(session, place, id);
                if (attempt != null) {
                    new Tally()
                            .from(PLACES.get(place), 1)
                            .into(StateName.CANCELLED, 1)
                            .write(session);
                    tell(session, id, Event.CANCELLED, StateName.CANCELLED, attempt, move);
                    return WriteResult.WRITTEN;
                }
            }
            StateName state = SqlQueries.state(session, id);
            if (state.isFinal()) {
                return new WriteResult.Stale(state);
            }
        }
        throw new StorageException(
                "Job " + id + " moved on each time it was about to be cancelled. Try again.", null, true);
    }

    static WriteResult runAgain(Session session, JobId id, Move move) throws SQLException {
        Integer priority = lock(session, id);
        if (priority == null) {
            return WriteResult.MISSING;
        }
        Integer attempt = leave(session, Verb.LEAVE_PARKED, id);
        StateName state = StateName.PARKED;
        if (attempt == null) {
            state = SqlQueries.state(session, id);
            if (!state.isFinal()) {
                return new WriteResult.Stale(state);
            }
        }
        try (PreparedStatement insert = session.prepare(Verb.READY_AGAIN)) {
            insert.setInt(1, priority);
            insert.setObject(2, id.value());
            insert.executeUpdate();
        }
        new Tally().from(state, 1).into(StateName.ENQUEUED, 1).write(session);
        tell(session, id, Event.RUN_AGAIN, StateName.ENQUEUED, attempt, move);
        return WriteResult.WRITTEN;
    }

    static WriteResult runNow(Session session, JobId id) throws SQLException {
        Integer priority = lock(session, id);
        if (priority == null) {
            return WriteResult.MISSING;
        }
        Integer attempt = leave(session, Verb.LEAVE_DEFERRED, id);
        if (attempt == null) {
            return new WriteResult.Stale(SqlQueries.state(session, id));
        }
        try (PreparedStatement insert = session.prepare(Verb.READY_NOW)) {
            insert.setInt(1, priority);
            insert.setObject(2, id.value());
            insert.setInt(3, attempt);
            insert.executeUpdate();
        }
        new Tally().from(StateName.SCHEDULED, 1).into(StateName.ENQUEUED, 1).write(session);
        return WriteResult.WRITTEN;
    }

    static WriteResult delete(Session session, JobId id) throws SQLException {
        if (lock(session, id) == null) {
            return WriteResult.MISSING;
        }
        for (int look = 0; look < LOOKS_MAX; look++) {
            for (Verb place : List.of(Verb.LEAVE_PARKED, Verb.LEAVE_DEFERRED, Verb.LEAVE_READY)) {
                if (leave(session, place, id) != null) {
                    return forget(session, id, PLACES.get(place));
                }
            }
            StateName state = SqlQueries.state(session, id);
            if (state.isFinal()) {
                return forget(session, id, state);
            }
            if (state == StateName.PROCESSING) {
                return new WriteResult.Stale(state);
            }
        }
        throw new StorageException(
                "Job " + id + " moved on each time it was about to be deleted. Try again.", null, true);
    }

    private static WriteResult forget(Session session, JobId id, StateName from) throws SQLException {
        for (Verb verb : List.of(Verb.FORGET_HISTORY, Verb.FORGET_BODY)) {
            try (PreparedStatement forget = session.prepare(verb)) {
                forget.setObject(1, id.value());
                forget.executeUpdate();
            }
        }
        new Tally().from(from, 1).write(session);
        return WriteResult.WRITTEN;
    }

    /** The job's priority; null if there is no such job. */
    private static @Nullable Integer lock(Session session, JobId id) throws SQLException {
        return number(session, Verb.LOCK_BODY, id);
    }

    /** The job's attempts; null if it was not there. */
    private static @Nullable Integer leave(Session session, Verb place, JobId id) throws SQLException {
        return number(session, place, id);
    }

    private static @Nullable Integer number(Session session, Verb verb, JobId id) throws SQLException {
        try (PreparedStatement statement = session.prepare(verb)) {
            statement.setObject(1, id.value());
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getInt(1) : null;
            }
        }
    }

    /** Of a job that had ended no place tells the attempt: null then, and the statement finds it. */
    private static void tell(
            Session session, JobId id, Event event, StateName next, @Nullable Integer attempt, Move move)
            throws SQLException {
        Failure why = move.why() == null ? null : Failure.because("", move.why());
        try (PreparedStatement insert = session.prepare(Verb.MOVE)) {
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
