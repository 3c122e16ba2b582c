package dev.treadle.storage.sql.session;

import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A prepared statement whose parameters are set by the names that its text gives them, so that no two can be swapped
 * unseen. A name that stands in several places is set in all of them. Names that are set in the order of the text cost one
 * comparison each. Used by one thread.
 */
public final class NamedStatement implements AutoCloseable {
    private final ParsedSql text;
    private final PreparedStatement prepared;

    /** Where the next name is looked for first. */
    private int next;

    /** A bit for each name that was never set. */
    private long unset;

    NamedStatement(ParsedSql text, PreparedStatement prepared) {
        this.text = text;
        this.prepared = prepared;
        this.unset = text.count() == 0 ? 0 : -1L >>> (Long.SIZE - text.count());
    }

    public void setInt(String name, int value) throws SQLException {
        for (int position : positions(name)) {
            prepared.setInt(position, value);
        }
    }

    public void setLong(String name, long value) throws SQLException {
        for (int position : positions(name)) {
            prepared.setLong(position, value);
        }
    }

    public void setBoolean(String name, boolean value) throws SQLException {
        for (int position : positions(name)) {
            prepared.setBoolean(position, value);
        }
    }

    public void setString(String name, @Nullable String value) throws SQLException {
        for (int position : positions(name)) {
            prepared.setString(position, value);
        }
    }

    public void setObject(String name, @Nullable Object value) throws SQLException {
        for (int position : positions(name)) {
            prepared.setObject(position, value);
        }
    }

    /** @param type as in {@link java.sql.Types} */
    public void setObject(String name, @Nullable Object value, int type) throws SQLException {
        for (int position : positions(name)) {
            prepared.setObject(position, value, type);
        }
    }

    /** @param type as in {@link java.sql.Types} */
    public void setNull(String name, int type) throws SQLException {
        for (int position : positions(name)) {
            prepared.setNull(position, type);
        }
    }

    public void setArray(String name, Array value) throws SQLException {
        for (int position : positions(name)) {
            prepared.setArray(position, value);
        }
    }

    /** Whether the text has a parameter of this name: not all databases need the same. */
    public boolean has(String name) {
        return text.indexOf(name, next) >= 0;
    }

    public ResultSet executeQuery() throws SQLException {
        return ready().executeQuery();
    }

    public int executeUpdate() throws SQLException {
        return ready().executeUpdate();
    }

    public void execute() throws SQLException {
        ready().execute();
    }

    public void addBatch() throws SQLException {
        ready().addBatch();
        next = 0;
    }

    public int[] executeBatch() throws SQLException {
        return prepared.executeBatch();
    }

    /** The statement of the driver, for what only that one offers. */
    public PreparedStatement prepared() {
        return prepared;
    }

    @Override
    public void close() throws SQLException {
        prepared.close();
    }

    private int[] positions(String name) {
        int index = text.indexOf(name, next);
        if (index < 0) {
            throw new IllegalArgumentException(
                    "There is no parameter :" + name + " among " + text.names() + " in: " + text.sql());
        }
        next = index + 1 == text.count() ? 0 : index + 1;
        unset &= ~(1L << index);
        return text.positions(index);
    }

    private PreparedStatement ready() {
        if (unset != 0) {
            List<String> missing = new ArrayList<>();
            for (int i = 0; i < text.count(); i++) {
                if ((unset & 1L << i) != 0) {
                    missing.add(text.names().get(i));
                }
            }
            throw new IllegalStateException("The parameters " + missing + " are not set in: " + text.sql());
        }
        return prepared;
    }
}
