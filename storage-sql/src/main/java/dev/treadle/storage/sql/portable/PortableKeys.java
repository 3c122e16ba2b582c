package dev.treadle.storage.sql.portable;

import dev.treadle.lifecycle.KeySlots;
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
import java.util.TreeSet;

/** Key by key. */
final class PortableKeys implements KeyStatements {

    @Override
    public Map<String, KeySlots> lock(Session session, SortedMap<String, KeySlots> numbers, boolean change)
            throws SQLException {
        try (NamedStatement lock = session.statement(SqlStatement.LOCK_KEYS)) {
            for (Map.Entry<String, KeySlots> key : KeyStatements.entries(numbers)) {
                lock.setString("line", key.getKey());
                lock.setLong("at_most", key.getValue().atMost());
                lock.setLong("burst", key.getValue().burst());
                lock.setObject("spacing_micros", Rows.micros(key.getValue().spacing()));
                lock.setBoolean("change", change);
                lock.executeUpdate();
            }
        }
        return hold(session, new TreeSet<>(numbers.keySet()));
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
            for (String line : lines) {
                hold.setString("line", line);
                try (ResultSet row = hold.executeQuery()) {
                    KeyStatements.read(row, held);
                }
            }
        }
        return held;
    }

    @Override
    public Set<String> busy(Session session, SortedSet<String> lines) throws SQLException {
        Set<String> busy = new HashSet<>();
        for (String line : lines) {
            if (!isThere(session, SqlStatement.BUSY_KEYS, line) && isThere(session, SqlStatement.KEY_THERE, line)) {
                busy.add(line);
            }
        }
        return busy;
    }

    private static boolean isThere(Session session, SqlStatement verb, String line) throws SQLException {
        try (NamedStatement select = session.statement(verb)) {
            select.setString("line", line);
            try (ResultSet row = select.executeQuery()) {
                return row.next();
            }
        }
    }

    @Override
    public List<Head> heads(Session session, SortedMap<String, Integer> room) throws SQLException {
        List<Head> heads = new ArrayList<>();
        try (NamedStatement select = session.statement(SqlStatement.LINE_HEADS)) {
            for (Map.Entry<String, Integer> free : room.entrySet()) {
                select.setString("line", free.getKey());
                select.setInt("free", free.getValue());
                try (ResultSet rows = select.executeQuery()) {
                    Head.read(rows, heads);
                }
            }
        }
        return heads;
    }
}
