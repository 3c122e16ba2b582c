package dev.treadle.storage.sql.postgresql;

import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Session;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Types;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Sets the parameters of a statement from one list of things: one array for each column, so that the statement and its
 * plan stay the same whatever the batch's size. The arrays are typed because the driver sends typed ones in binary.
 */
final class PostgresArrays<T> {
    private static final int UUID_LENGTH = 37;

    private final Connection connection;
    private final NamedStatement statement;
    private final List<T> things;

    PostgresArrays(Session session, NamedStatement statement, List<T> things) {
        this.connection = session.connection();
        this.statement = statement;
        this.things = things;
    }

    /** As text: the driver has no binary form of them, and would escape its own text character by character. */
    PostgresArrays<T> uuids(String name, Function<T, @Nullable UUID> column) throws SQLException {
        StringBuilder array = new StringBuilder(2 + things.size() * UUID_LENGTH).append('{');
        for (T thing : things) {
            array.append(array.length() == 1 ? "" : ",").append(column.apply(thing));
        }
        statement.setObject(name, array.append('}').toString(), Types.OTHER);
        return this;
    }

    PostgresArrays<T> longs(String name, Function<T, @Nullable Long> column) throws SQLException {
        return set(name, "int8", new Long[things.size()], column);
    }

    PostgresArrays<T> shorts(String name, Function<T, @Nullable Integer> column) throws SQLException {
        return set(
                name,
                "int2",
                new Short[things.size()],
                column.andThen(number -> number == null ? null : number.shortValue()));
    }

    /** No array at all where each number is zero, as is usual; the statement takes what is missing for zero. */
    PostgresArrays<T> shortsUnlessAllZero(String name, ToIntFunction<T> column) throws SQLException {
        for (T thing : things) {
            if (column.applyAsInt(thing) != 0) {
                return shorts(name, column::applyAsInt);
            }
        }
        statement.setNull(name, Types.ARRAY);
        return this;
    }

    PostgresArrays<T> texts(String name, Function<T, @Nullable String> column) throws SQLException {
        return set(name, "text", new String[things.size()], column);
    }

    PostgresArrays<T> booleans(String name, Function<T, Boolean> column) throws SQLException {
        return set(name, "bool", new Boolean[things.size()], column);
    }

    PostgresArrays<T> times(String name, Function<T, @Nullable OffsetDateTime> column) throws SQLException {
        return set(name, "timestamptz", new OffsetDateTime[things.size()], column);
    }

    private <C> PostgresArrays<T> set(String name, String type, C[] values, Function<T, ? extends @Nullable C> column)
            throws SQLException {
        for (int i = 0; i < values.length; i++) {
            values[i] = column.apply(things.get(i));
        }
        statement.setArray(name, connection.createArrayOf(type, values));
        return this;
    }
}
