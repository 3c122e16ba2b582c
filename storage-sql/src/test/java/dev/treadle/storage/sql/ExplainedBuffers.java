package dev.treadle.storage.sql;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/** Explains each prepared statement before it is executed, and sums up how many buffers they touch. */
public final class ExplainedBuffers {
    private static final Pattern BUFFERS = Pattern.compile("Buffers: shared (?:hit=(\\d+))? ?(?:read=(\\d+))?");

    private final AtomicLong touched = new AtomicLong();
    private volatile boolean measuring;

    private record Call(Method method, Object[] arguments) {}

    /** How many are touched by something. What it writes, it writes twice. */
    public long of(Runnable work) {
        touched.set(0);
        measuring = true;
        try {
            work.run();
        } finally {
            measuring = false;
        }
        return touched.get();
    }

    public DataSource of(DataSource pool) {
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (self, method, arguments) -> {
                    Object answer = call(pool, method, arguments);
                    return answer instanceof Connection connection ? of(connection) : answer;
                });
    }

    private Connection of(Connection real) {
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (self, method, arguments) -> {
                    Object answer = call(real, method, arguments);
                    return answer instanceof PreparedStatement statement
                                    && method.getName().equals("prepareStatement")
                            ? of(real, statement, (String) arguments[0])
                            : answer;
                });
    }

    private PreparedStatement of(Connection connection, PreparedStatement real, String text) {
        List<Call> set = new ArrayList<>();
        return (PreparedStatement) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {PreparedStatement.class}, (self, method, arguments) -> {
                    if (method.getName().startsWith("set")) {
                        set.add(new Call(method, arguments));
                    } else if (measuring && method.getName().startsWith("execute")) {
                        explain(connection, text, set);
                    }
                    return call(real, method, arguments);
                });
    }

    private void explain(Connection connection, String text, List<Call> set) throws Throwable {
        try (PreparedStatement explain =
                connection.prepareStatement("explain (analyze, buffers, timing off) " + text)) {
            for (Call one : set) {
                call(explain, one.method, one.arguments);
            }
            try (ResultSet rows = explain.executeQuery()) {
                touched.addAndGet(first(rows));
            }
        }
    }

    /** That of the whole statement stands first. */
    private static long first(ResultSet rows) throws SQLException {
        while (rows.next()) {
            Matcher buffers = BUFFERS.matcher(rows.getString(1));
            if (buffers.find()) {
                return number(buffers.group(1)) + number(buffers.group(2));
            }
        }
        return 0;
    }

    private static long number(String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }

    private static Object call(Object real, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
