package dev.treadle.storage.sql.rows;

import dev.treadle.job.Lane;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import dev.treadle.storage.sql.session.Transactions;
import dev.treadle.storage.sql.text.TraitsText;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The small numbers that the hot tables hold instead of queues and tags. A number is given for good, and yet a failover may
 * take it back: a standby that had not received the new lane becomes the primary. So what is known here is looked up again
 * when it is older than a failover is short; that of the usual lane is known to all. Thread-safe.
 */
public final class LaneIds {
    /** The lane of jobs that ask for no queue and no tags. */
    public static final int DEFAULT = 0;

    /** Several processes may give the same number at once: how often to try the next. */
    private static final int TRIES_MAX = 50;
    /** How long a number is used without a look; less than passes between two primaries. */
    private static final long TRUSTED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Map<Lane, Known> ids = new ConcurrentHashMap<>();
    private final Map<Integer, Lane> lanes = new ConcurrentHashMap<>(Map.of(DEFAULT, Lane.DEFAULT));

    private final ReentrantLock giving = new ReentrantLock();

    /** A number, and when the database last said so. */
    private record Known(int id, long seenNanos) {
        boolean isTrusted() {
            return System.nanoTime() - seenNanos < TRUSTED_NANOS;
        }
    }

    /** The number of a lane; null if it is not known here. */
    @Nullable
    public Integer known(Lane lane) {
        // why compared first: it is the lane of nearly all jobs
        if (lane.equals(Lane.DEFAULT)) {
            return DEFAULT;
        }
        Known known = ids.get(lane);
        return known == null ? null : (Integer) known.id();
    }

    private boolean isTrusted(Lane lane) {
        if (lane.equals(Lane.DEFAULT)) {
            return true;
        }
        Known known = ids.get(lane);
        return known != null && known.isTrusted();
    }

    /** The lane of a number, if the database has said so just now; else null. */
    private @Nullable Lane trusted(int id) {
        Lane lane = lanes.get(id);
        // why compared: the lane may have another number by now
        return lane != null && isTrusted(lane) && of(lane) == id ? lane : null;
    }

    /** The number of a lane that was {@linkplain #know made known}. */
    public int of(Lane lane) {
        Integer id = known(lane);
        if (id == null) {
            throw new IllegalStateException("The lane " + lane + " was not looked up.");
        }
        return id;
    }

    /** The lane of a number; null if it is not known here. */
    @Nullable
    public Lane lane(int number) {
        return lanes.get(number);
    }

    /** The lane of a row with its number, queue and tags in these columns. */
    public Lane read(ResultSet row, int idColumn) throws SQLException {
        int id = row.getInt(idColumn);
        Lane lane = trusted(id);
        if (lane == null) {
            lane = TraitsText.readLane(row.getString(idColumn + 1), row.getString(idColumn + 2));
            remember(lane, id);
        }
        return lane;
    }

    private int remember(Lane lane, int id) {
        Known now = new Known(id, System.nanoTime());
        ids.put(lane, now);
        Lane before = lanes.put(id, lane);
        if (before != null && !before.equals(lane)) {
            // why not removed: who has just looked it up is about to use it
            ids.computeIfPresent(
                    before,
                    (other, known) -> known.id() == id ? new Known(id, now.seenNanos() - TRUSTED_NANOS) : known);
        }
        return id;
    }

    /** The number of a lane; null if no job was ever put into it. */
    @Nullable
    public Integer find(Session session, Lane lane) throws SQLException {
        return isTrusted(lane) ? known(lane) : select(session, lane);
    }

    private @Nullable Integer select(Session session, Lane lane) throws SQLException {
        try (NamedStatement select = session.statement(SqlStatement.LANE_ID)) {
            select.setString("queue", lane.queue());
            select.setString("tags", TraitsText.writeNeeds(lane));
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? (Integer) remember(lane, row.getInt(1)) : null;
            }
        }
    }

    /** The numbers of lanes, without those into which no job was ever put. */
    public Array array(Session session, Collection<Lane> all) throws SQLException {
        List<Short> numbers = new ArrayList<>();
        for (Lane lane : all) {
            Integer id = find(session, lane);
            if (id != null) {
                numbers.add(id.shortValue());
            }
        }
        return session.connection().createArrayOf("smallint", numbers.toArray(Short[]::new));
    }

    /** Makes a lane known before the statements that need its number; no statement if it was just looked up. */
    public void know(Transactions transactions, Lane lane) {
        if (!isTrusted(lane) && !isThere(transactions, lane)) {
            give(transactions.own(), lane);
        }
    }

    /**
     * On the connection at hand: a transaction that holds one and waits for a second waits for others of its kind, and if
     * these hold all that the pool has, for ever.
     */
    private boolean isThere(Transactions transactions, Lane lane) {
        return transactions.statement("look up the lane " + lane, true, session -> select(session, lane) != null);
    }

    /** One at a time, so that of all who need a new lane only one asks for a second connection. */
    private void give(Transactions own, Lane lane) {
        giving.lock();
        try {
            if (!isTrusted(lane)) {
                own.statement("look up the lane " + lane, true, session -> findOrGive(session, lane));
            }
        } finally {
            giving.unlock();
        }
    }

    /** The same for the lanes that endings put their jobs into. */
    public void know(Transactions transactions, Collection<? extends Transition> endings) {
        for (Transition ending : endings) {
            if (!ending.next().isFinal()) {
                know(transactions, ending.lease().job().traits().lane());
            }
        }
    }

    private int findOrGive(Session session, Lane lane) throws SQLException {
        for (int tries = 0; tries < TRIES_MAX; tries++) {
            Integer id = select(session, lane);
            if (id != null) {
                return id;
            }
            give(session, lane);
        }
        throw new StorageException(
                "The lane " + lane + " got no number in " + TRIES_MAX
                        + " tries: other processes made lanes all the time.",
                null,
                true);
    }

    private static void give(Session session, Lane lane) throws SQLException {
        try (NamedStatement insert = session.statement(SqlStatement.NEW_LANE)) {
            insert.setString("queue", lane.queue());
            insert.setString("tags", TraitsText.writeNeeds(lane));
            insert.executeUpdate();
        } catch (SQLException e) {
            String state = String.valueOf(e.getSQLState());
            if (state.startsWith("22")) {
                throw new StorageException(
                        "There is no room for jobs of " + lane + ": each combination of a queue, tags and resources"
                                + " that jobs ever asked for takes one of " + StorageProvider.LANES_MAX
                                + " numbers for good, and all are taken. Jobs of combinations that have one go on."
                                + " Name queues, tags and resources after kinds of work, never after customers or"
                                + " whatever else is known at run time only; docs/queues.md says how to get"
                                + " numbers back.",
                        e,
                        false);
            }
            if (!state.startsWith("23")) {
                throw e;
            }
            // another process has given that number or made that lane in the same moment: look again
        }
    }
}
