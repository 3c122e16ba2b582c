package dev.treadle.storage.sql.session;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Sets the named parameters of one statement. Used by one thread. */
public final class Parameters {
    private final ParsedSql text;
    private final PreparedStatement statement;
    private final Set<String> unbound;

    public Parameters(ParsedSql text, PreparedStatement statement) {
        this.text = text;
        this.statement = statement;
        this.unbound = new HashSet<>(text.positions().keySet());
    }

    public Parameters text(String name, String value) throws SQLException {
        return each(name, position -> statement.setString(position, value));
    }

    public Parameters number(String name, int value) throws SQLException {
        return each(name, position -> statement.setInt(position, value));
    }

    public Parameters id(String name, UUID value) throws SQLException {
        return each(name, position -> statement.setObject(position, value));
    }

    public Parameters time(String name, OffsetDateTime value) throws SQLException {
        return each(name, position -> statement.setObject(position, value));
    }

    /**
     * The statement, ready to be executed.
     *
     * @throws IllegalStateException naming parameters that were not set
     */
    public PreparedStatement ready() {
        if (!unbound.isEmpty()) {
            throw new IllegalStateException("The parameters " + unbound + " are not set in: " + text.sql());
        }
        return statement;
    }

    private Parameters each(String name, At at) throws SQLException {
        List<Integer> positions = text.positions().get(name);
        if (positions == null) {
            throw new IllegalArgumentException("There is no parameter :" + name + " in: " + text.sql());
        }
        for (int position : positions) {
            at.set(position);
        }
        unbound.remove(name);
        return this;
    }

    private interface At {
        void set(int position) throws SQLException;
    }
}
