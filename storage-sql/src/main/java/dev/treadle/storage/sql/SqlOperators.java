package dev.treadle.storage.sql;

import dev.treadle.job.Failure;
import dev.treadle.job.HistoryEntry.Event;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.NodeId;
import dev.treadle.job.StateName;
import dev.treadle.storage.Move;
import dev.treadle.storage.Run;
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
                Integer attempt = place == Verb.LEAVE_LEASE ? leaveLease(session, id) : leave(session, place, id);
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

    static WriteResult runAgain(Session session, JobId id, Move move, LaneIds lanes) throws SQLException {
        JobTraits traits = lock(session, id);
        if (traits == null) {
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
            // a job that was put in before there were lanes waits where all did then
            Integer lane = lanes.find(session, traits.lane());
            insert.setInt(1, lane == null ? LaneIds.DEFAULT : lane);
            insert.setInt(2, traits.priority());
            insert.setObject(3, id.value());
            insert.executeUpdate();
        }
        new Tally().from(state, 1).into(StateName.ENQUEUED, 1).write(session);
        tell(session, id, Event.RUN_AGAIN, StateName.ENQUEUED, attempt, move);
        return WriteResult.WRITTEN;
    }

    /** What the job asks for; null if there is no such job. */
    private static @Nullable JobTraits lock(Session session, JobId id) throws SQLException {
        try (PreparedStatement select = session.prepare(Verb.LOCK_BODY)) {
            select.setObject(1, id.value());
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? TraitsText.read(row.getInt(1), row.getString(2)) : null;
            }
        }
    }

    /** The job's attempts; null if it was not there. */
    private static @Nullable Integer leave(Session session, Verb place, JobId id) throws SQLException {
        return number(session, place, id);
    }

    /** Asks the run that loses its lease to end. */
    private static @Nullable Integer leaveLease(Session session, JobId id) throws SQLException {
        try (PreparedStatement statement = session.prepare(Verb.LEAVE_LEASE)) {
            statement.setObject(1, id.value());
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    return null;
                }
                int attempt = row.getInt(1);
                SqlRuns.ask(session, List.of(new Run(id, row.getLong(2))), new NodeId(row.getLong(3)));
                return attempt;
            }
        }
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
