package dev.treadle.storage.sql.keys;

import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import dev.treadle.storage.sql.text.TraitsText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that one transaction moves for people: first all their bodies are locked, against other people's moves, then all
 * their keys, each in the order that everybody locks them in. So no two transactions wait for each other, however many
 * jobs there are.
 */
public final class HeldJobs {
    private final Session session;
    private final Map<JobId, JobTraits> bodies;
    private final KeyRows keys;

    private HeldJobs(Session session, Map<JobId, JobTraits> bodies, KeyRows keys) {
        this.session = session;
        this.bodies = bodies;
        this.keys = keys;
    }

    /** A move of one job. */
    public interface Move<T> {
        T of(HeldJobs held) throws SQLException;
    }

    /** Does one move of one job. */
    public static <T> T move(Session session, SqlKeys keys, JobId id, Move<T> move) throws SQLException {
        HeldJobs held = lock(session, keys, List.of(id));
        T result = move.of(held);
        held.settle();
        return result;
    }

    /** @param others what else asks for a key that has to be locked */
    public static HeldJobs lock(Session session, SqlKeys keys, Collection<JobId> ids, JobTraits... others)
            throws SQLException {
        Map<JobId, JobTraits> bodies = bodies(session, ids);
        List<JobTraits> traits = new ArrayList<>(bodies.values());
        traits.addAll(List.of(others));
        return new HeldJobs(session, bodies, keys.lock(session, traits));
    }

    private static Map<JobId, JobTraits> bodies(Session session, Collection<JobId> ids) throws SQLException {
        Map<JobId, JobTraits> bodies = new HashMap<>();
        Stream<Object> values = ids.stream().map(JobId::value);
        try (NamedStatement lock = session.statement(SqlStatement.LOCK_BODIES)) {
            lock.setArray("ids", session.connection().createArrayOf("UUID", values.toArray()));
            try (ResultSet rows = lock.executeQuery()) {
                while (rows.next()) {
                    bodies.put(JobId.of(Rows.uuid(rows, 1)), TraitsText.read(rows.getInt(2), rows.getString(3)));
                }
            }
        }
        return bodies;
    }

    /** What a job asks for; null if there is no such job. */
    @Nullable
    public JobTraits traits(JobId id) {
        return bodies.get(id);
    }

    public Session session() {
        return session;
    }

    public KeyRows keys() {
        return keys;
    }

    /** Lets jobs go on that have room now; after the last move. */
    public void settle() throws SQLException {
        if (keys.isAny()) {
            keys.settle(KeyQueues.now(session));
        }
    }
}
