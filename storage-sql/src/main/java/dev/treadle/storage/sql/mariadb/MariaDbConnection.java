package dev.treadle.storage.sql.mariadb;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Connections to MariaDB that take and give what the drivers of H2 and PostgreSQL do: ids as {@link UUID}, times as
 * {@link OffsetDateTime}, and lists for {@code = any(?)}. Everything else goes to the driver as it is.
 */
final class MariaDbConnection {
    /** The driver sends batches of inserts to be executed in bulk, and the server cannot do that with these. */
    private static final Pattern INSERT_SELECT = Pattern.compile("\\s*insert\\s.*?\\sselect\\s", Pattern.DOTALL);

    private MariaDbConnection() {}

    static Connection on(Connection connection) {
        return DriverCalls.adapted(Connection.class, connection, (method, args) -> switch (method.getName()) {
            case "createArrayOf" -> list((Object[]) args[1]);
            case "prepareStatement" ->
                args.length == 1 ? statement(connection, (String) args[0]) : DriverCalls.call(connection, method, args);
            case "createStatement" -> {
                Statement real = (Statement) DriverCalls.call(connection, method, args);
                yield DriverCalls.adapted(
                        Statement.class,
                        real,
                        (called, given) -> DriverCalls.answer(DriverCalls.call(real, called, given)));
            }
            default -> DriverCalls.call(connection, method, args);
        });
    }

    private static PreparedStatement statement(Connection connection, String sql) throws Throwable {
        if (ListStatement.isNeededFor(sql)) {
            ListStatement lists = new ListStatement(connection, sql);
            return DriverCalls.proxy(PreparedStatement.class, (self, method, args) -> lists.invoke(method, args));
        }
        PreparedStatement real = connection.prepareStatement(sql);
        OneByOne batch = INSERT_SELECT.matcher(sql).lookingAt() ? new OneByOne(real) : null;
        return DriverCalls.adapted(PreparedStatement.class, real, (method, args) -> {
            String name = method.getName();
            if (args.length > 1 && name.equals("setObject")) {
                args[1] = MariaDbValues.toDriver(args[1]);
            } else if (batch != null && name.equals("addBatch")) {
                return batch.add();
            } else if (batch != null && name.equals("executeBatch")) {
                return batch.counts();
            }
            return DriverCalls.answer(DriverCalls.call(real, method, args));
        });
    }

    /** A batch in which each statement is sent when it is added. */
    private static final class OneByOne {
        private final PreparedStatement statement;
        private final List<Integer> counts = new ArrayList<>();

        private OneByOne(PreparedStatement statement) {
            this.statement = statement;
        }

        @Nullable
        Object add() throws SQLException {
            counts.add(statement.executeUpdate());
            return null;
        }

        int[] counts() {
            int[] all = counts.stream().mapToInt(Integer::intValue).toArray();
            counts.clear();
            return all;
        }
    }

    /** Values of a list; nothing but {@link Array#getArray()} is asked of it. */
    private static Array list(Object[] values) {
        Object[] kept = values.clone();
        return DriverCalls.proxy(Array.class, (self, method, args) -> {
            if (method.getName().equals("getArray")) {
                return kept;
            }
            throw new UnsupportedOperationException(method.getName());
        });
    }
}
