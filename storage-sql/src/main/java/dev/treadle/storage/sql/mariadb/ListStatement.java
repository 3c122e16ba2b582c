package dev.treadle.storage.sql.mariadb;

import java.lang.reflect.Method;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A statement with lists as parameters, which MariaDB does not have. It is prepared when it is executed and its values are
 * known, with one parameter for each value of a list: {@code = any(?)} becomes {@code in (?, ?, ?)}, for which every index
 * serves. Used by one thread.
 */
final class ListStatement {
    private static final Pattern PARAMETER = Pattern.compile("= any\\(\\?\\)|\\?");

    private final Connection connection;
    private final String sql;
    /** Calls that set parameters, by the numbers of these. */
    private final SortedMap<Integer, Setting> settings = new TreeMap<>();

    private @Nullable PreparedStatement real;

    private record Setting(Method method, Object[] args) {}

    ListStatement(Connection connection, String sql) {
        this.connection = connection;
        this.sql = sql;
    }

    static boolean isNeededFor(String sql) {
        return sql.contains("any(?)");
    }

    /** @param args null for none, as proxies get them */
    @Nullable
    Object invoke(Method method, Object @Nullable [] args) throws Throwable {
        String name = method.getName();
        if (name.startsWith("set") && args != null && args.length > 1 && args[0] instanceof Integer parameter) {
            settings.put(parameter, new Setting(method, args));
            return null;
        }
        if (name.startsWith("execute") && args == null && !name.equals("executeBatch")) {
            close();
            PreparedStatement statement = prepared();
            real = statement;
            return DriverCalls.answer(DriverCalls.call(statement, method, new Object[0]));
        }
        return switch (name) {
            case "close" -> {
                close();
                yield null;
            }
            case "isWrapperFor" -> false;
            default ->
                throw new SQLFeatureNotSupportedException(
                        name + " is not known here: the statement has lists as parameters: " + sql);
        };
    }

    private void close() throws SQLException {
        if (real != null) {
            real.close();
            real = null;
        }
    }

    private PreparedStatement prepared() throws Throwable {
        List<Setting> flat = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        Matcher parameter = PARAMETER.matcher(sql);
        for (int number = 1; parameter.find(); number++) {
            Setting setting = settings.get(number);
            if (setting == null) {
                throw new SQLException("Parameter " + number + " is not set in: " + sql);
            }
            if (parameter.group().equals("?")) {
                flat.add(setting);
                parameter.appendReplacement(text, "?");
            } else {
                Object[] values = (Object[]) ((Array) setting.args[1]).getArray();
                for (Object value : values) {
                    flat.add(new Setting(SET_OBJECT, new Object[] {number, value}));
                }
                parameter.appendReplacement(text, "in (" + places(values.length) + ")");
            }
        }
        PreparedStatement statement =
                connection.prepareStatement(parameter.appendTail(text).toString());
        boolean isSet = false;
        try {
            for (int i = 0; i < flat.size(); i++) {
                set(statement, i + 1, flat.get(i));
            }
            isSet = true;
            return statement;
        } finally {
            if (!isSet) {
                statement.close();
            }
        }
    }

    /** Nothing is in a list without values. */
    private static String places(int values) {
        return values == 0 ? "null" : String.join(", ", Collections.nCopies(values, "?"));
    }

    private static void set(PreparedStatement statement, int parameter, Setting setting) throws Throwable {
        Object[] args = Arrays.copyOf(setting.args, setting.args.length);
        args[0] = parameter;
        args[1] = MariaDbValues.toDriver(args[1]);
        DriverCalls.call(statement, setting.method, args);
    }

    private static final Method SET_OBJECT = setObject();

    private static Method setObject() {
        try {
            return PreparedStatement.class.getMethod("setObject", int.class, Object.class);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }
}
