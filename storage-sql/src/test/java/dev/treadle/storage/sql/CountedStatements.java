package dev.treadle.storage.sql;

import dev.treadle.storage.sql.session.SqlStatement;
import dev.treadle.storage.sql.session.StatementTexts;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/** A pool whose statements are counted by their texts, as the database would count them. */
final class CountedStatements {
    private static final Map<String, SqlStatement> VERBS = verbs();

    private final Map<String, AtomicLong> counts = new ConcurrentHashMap<>();

    private static Map<String, SqlStatement> verbs() {
        StatementTexts statements = EmptyDatabases.statements(Dialect.POSTGRESQL);
        Map<String, SqlStatement> verbs = new ConcurrentHashMap<>();
        for (SqlStatement verb : SqlStatement.values()) {
            EmptyDatabases.syntax(Dialect.POSTGRESQL)
                    .text(verb)
                    .ifPresent(text -> verbs.put(statements.of(verb), verb));
        }
        return verbs;
    }

    /** The same pool, counted. */
    DataSource of(DataSource pool) {
        return proxy(DataSource.class, pool, null);
    }

    long of(SqlStatement verb) {
        AtomicLong count = counts.get(verb.name());
        return count == null ? 0 : count.get();
    }

    /** How many of each there have been. */
    Map<String, Long> all() {
        Map<String, Long> all = new TreeMap<>();
        counts.forEach((text, count) -> all.put(text, count.get()));
        return all;
    }

    private void count(String text) {
        SqlStatement verb = VERBS.get(text);
        counts.computeIfAbsent(verb == null ? text : verb.name(), unseen -> new AtomicLong())
                .incrementAndGet();
    }

    /** @param text what a prepared statement says; null for all else */
    private <T> T proxy(Class<T> type, T real, String text) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, args) -> {
            if (method.getName().startsWith("execute")) {
                count(text != null ? text : String.valueOf(args[0]));
            }
            Object answer = call(real, method, args);
            if (answer instanceof Connection connection && method.getName().equals("getConnection")) {
                return type == DataSource.class ? proxy(Connection.class, connection, null) : answer;
            }
            if (method.getName().equals("prepareStatement")) {
                return proxy(PreparedStatement.class, (PreparedStatement) answer, (String) args[0]);
            }
            if (method.getName().equals("createStatement")) {
                return proxy(Statement.class, (Statement) answer, null);
            }
            return answer;
        }));
    }

    private static Object call(Object real, Method method, Object[] args) throws Throwable {
        try {
            return method.invoke(real, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
