package dev.treadle.storage.sql.postgresql;

import dev.treadle.storage.sql.session.Session;
import java.sql.Connection;
import java.sql.PreparedStatement;
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
    private final PreparedStatement statement;
    private final List<T> things;
    private int parameter;

    PostgresArrays(Session session, PreparedStatement statement, List<T> things) {
        this(session, statement, things, 0);
    }

    /** @param after how many parameters are set already */
    PostgresArrays(Session session, PreparedStatement statement, List<T> things, int after) {
        this.parameter = after;
        this.connection = session.connection();
        this.statement = statement;
        this.things = things;
    }

    /** As text: the driver has no binary form of them, and would escape its own text character by character. */
    PostgresArrays<T> uuids(Function<T, @Nullable UUID> column) throws SQLException {
        StringBuilder array = new StringBuilder(2 + things.size() * UUID_LENGTH).append('{');
        for (T thing : things) {
            array.append(array.length() == 1 ? "" : ",").append(column.apply(thing));
        }
        statement.setObject(++parameter, array.append('}').toString(), Types.OTHER);
        return this;
    }

    PostgresArrays<T> longs(Function<T, @Nullable Long> column) throws SQLException {
        return set("int8", new Long[things.size()], column);
    }

    PostgresArrays<T> shorts(Function<T, @Nullable Integer> column) throws SQLException {
        return set(
                "int2",
                new Short[things.size()],
                column.andThen(number -> number == null ? null : number.shortValue()));
    }

    /** No array at all where each number is zero, as is usual; the statement takes what is missing for zero. */
    PostgresArrays<T> shortsUnlessAllZero(ToIntFunction<T> column) throws SQLException {
        for (T thing : things) {
            if (column.applyAsInt(thing) != 0) {
                return shorts(column::applyAsInt);
            }
        }
        statement.setNull(++parameter, Types.ARRAY);
        return this;
    }

    /** One number for all. */
    PostgresArrays<T> number(int number) throws SQLException {
        statement.setInt(++parameter, number);
        return this;
    }

    PostgresArrays<T> texts(Function<T, @Nullable String> column) throws SQLException {
        return set("text", new String[things.size()], column);
    }

    PostgresArrays<T> booleans(Function<T, Boolean> column) throws SQLException {
        return set("bool", new Boolean[things.size()], column);
    }

    PostgresArrays<T> times(Function<T, @Nullable OffsetDateTime> column) throws SQLException {
        return set("timestamptz", new OffsetDateTime[things.size()], column);
    }

    private <C> PostgresArrays<T> set(String type, C[] values, Function<T, ? extends @Nullable C> column)
            throws SQLException {
        for (int i = 0; i < values.length; i++) {
            values[i] = column.apply(things.get(i));
        }
        statement.setArray(++parameter, connection.createArrayOf(type, values));
        return this;
    }
}
