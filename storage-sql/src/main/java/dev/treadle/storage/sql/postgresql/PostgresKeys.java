package dev.treadle.storage.sql.postgresql;

import dev.treadle.lifecycle.KeySlots;
import dev.treadle.storage.sql.portable.KeyStatements;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;

/** Each as one statement over arrays, in whose order the rows are locked. */
final class PostgresKeys implements KeyStatements {
    @Override
    public Map<String, KeySlots> lock(Session session, SortedMap<String, KeySlots> numbers, boolean change)
            throws SQLException {
        Map<String, KeySlots> locked = new HashMap<>();
        try (NamedStatement lock = session.statement(SqlStatement.LOCK_KEYS)) {
            new PostgresArrays<>(session, lock, KeyStatements.entries(numbers))
                    .texts("lines", Map.Entry::getKey)
                    .longs("at_most", key -> (long) key.getValue().atMost())
                    .longs("bursts", key -> (long) key.getValue().burst())
                    .longs("spacings", key -> Rows.micros(key.getValue().spacing()));
            lock.setBoolean("change", change);
            try (ResultSet rows = lock.executeQuery()) {
                KeyStatements.read(rows, locked);
            }
        }
        return locked;
    }

    @Override
    public Map<String, KeySlots> hold(Session session, SortedSet<String> lines) throws SQLException {
        return hold(session, SqlStatement.HOLD_KEYS, lines);
    }

    @Override
    public Map<String, KeySlots> holdFree(Session session, SortedSet<String> lines) throws SQLException {
        return hold(session, SqlStatement.HOLD_FREE_KEYS, lines);
    }

    private static Map<String, KeySlots> hold(Session session, SqlStatement verb, SortedSet<String> lines)
            throws SQLException {
        Map<String, KeySlots> held = new HashMap<>();
        try (NamedStatement hold = session.statement(verb)) {
            new PostgresArrays<>(session, hold, List.copyOf(lines)).texts("lines", line -> line);
            try (ResultSet rows = hold.executeQuery()) {
                KeyStatements.read(rows, held);
            }
        }
        return held;
    }

    @Override
    public Set<String> busy(Session session, SortedSet<String> lines) throws SQLException {
        Set<String> busy = new HashSet<>();
        try (NamedStatement select = session.statement(SqlStatement.BUSY_KEYS)) {
            List<String> asked = List.copyOf(lines);
            new PostgresArrays<>(session, select, asked).texts("lines", line -> line);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    busy.add(rows.getString(1));
                }
            }
        }
        return busy;
    }

    @Override
    public List<Head> heads(Session session, SortedMap<String, Integer> room) throws SQLException {
        List<Head> heads = new ArrayList<>();
        try (NamedStatement select = session.statement(SqlStatement.LINE_HEADS)) {
            new PostgresArrays<>(session, select, new ArrayList<>(room.entrySet()))
                    .texts("lines", Map.Entry::getKey)
                    .longs("free", free -> (long) free.getValue());
            try (ResultSet rows = select.executeQuery()) {
                Head.read(rows, heads);
            }
        }
        return heads;
    }
}
