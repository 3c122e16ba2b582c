package dev.treadle.spring;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Notes, of each connection, what ends its transaction or its loan. */
final class WatchedDataSource extends DelegatingDataSource {
    private static final Set<String> WATCHED = Set.of("commit", "rollback", "close", "abort", "setAutoCommit");

    private final Map<Connection, List<String>> calls = new ConcurrentHashMap<>();

    WatchedDataSource(DataSource pool) {
        super(pool);
    }

    /** Those on a connection so far. */
    List<String> calls(Connection connection) {
        return List.copyOf(calls.get(connection));
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = super.getConnection();
        List<String> noted = new CopyOnWriteArrayList<>();
        Connection watched = (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (WATCHED.contains(method.getName())) {
                        noted.add(method.getName());
                    }
                    switch (method.getName()) {
                        case "equals":
                            return proxy == arguments[0];
                        case "hashCode":
                            return System.identityHashCode(proxy);
                        default:
                            try {
                                return method.invoke(connection, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                    }
                });
        calls.put(watched, noted);
        return watched;
    }
}
