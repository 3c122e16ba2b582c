package dev.treadle.storage.sql.portable;

import dev.treadle.lifecycle.KeySlots;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.UUID;

/** The statements on keys that databases do in different ways. Keys come sorted, so that no two transactions lock them crosswise. */
public interface KeyStatements {
    /**
     * Locks keys and makes those that are not there.
     *
     * @param numbers the numbers of the rules that jobs come with, by line
     * @param change  whether those count from now on for keys that are there
     */
    Map<String, KeySlots> lock(Session session, SortedMap<String, KeySlots> numbers, boolean change)
            throws SQLException;

    /** Locks those of the keys that are there. */
    Map<String, KeySlots> hold(Session session, SortedSet<String> lines) throws SQLException;

    /** Locks those of the keys that are there and that no other transaction is writing, without waiting. */
    Map<String, KeySlots> holdFree(Session session, SortedSet<String> lines) throws SQLException;

    /**
     * Locks those of the keys that no other transaction is writing, without waiting.
     *
     * @return those that another transaction is writing
     */
    Set<String> busy(Session session, SortedSet<String> lines) throws SQLException;

    /** The first so many of each line. */
    List<Head> heads(Session session, SortedMap<String, Integer> room) throws SQLException;

    /** A job that is the next of its line. */
    record Head(String line, UUID job, int lane, int priority, int attempt) {
        public static void read(ResultSet rows, List<Head> into) throws SQLException {
            while (rows.next()) {
                into.add(new Head(
                        rows.getString(1), Rows.uuid(rows, 2), rows.getInt(3), rows.getInt(4), rows.getInt(5)));
            }
        }
    }

    /** Reads: line, held, waiting, at_most, burst, spacing_micros, paid_at. */
    public static void read(ResultSet rows, Map<String, KeySlots> into) throws SQLException {
        while (rows.next()) {
            Duration spacing = Rows.duration(rows.getLong(6));
            into.put(
                    rows.getString(1),
                    new KeySlots(
                            rows.getInt(2),
                            rows.getInt(3),
                            rows.getInt(4),
                            rows.getInt(5),
                            spacing == null ? Duration.ZERO : spacing,
                            Rows.instantOrNull(rows, 7)));
        }
    }

    /** A line and the numbers of its rule. */
    static List<Map.Entry<String, KeySlots>> entries(SortedMap<String, KeySlots> numbers) {
        return new ArrayList<>(numbers.entrySet());
    }
}
