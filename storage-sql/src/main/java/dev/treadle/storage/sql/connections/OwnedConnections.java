package dev.treadle.storage.sql.connections;

import java.lang.reflect.InvocationTargetException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the storage away from transactions of the application. The storage commits by itself, so on a connection that
 * takes part in somebody's transaction it would commit that transaction.
 */
final class OwnedConnections {
    /** Most DataSources within each other that are looked into. */
    private static final int DEPTH_MAX = 10;

    private static final String REMEDY = " The storage commits by itself and needs connections of its own: give it the"
            + " plain DataSource or pool behind this one, or a JDBC URL. Enqueue inside your transaction with"
            + " jobs.in(connection).";

    /** Those whose connections take part in the transaction of the calling thread. */
    private static final Set<String> TRANSACTIONAL = Set.of(
            "org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy",
            "com.atomikos.jdbc.AtomikosDataSourceBean",
            "com.atomikos.jdbc.AtomikosXADataSourceBean",
            "com.atomikos.jdbc.AtomikosNonXADataSourceBean",
            "com.atomikos.jdbc.internal.AtomikosSQLDataSource",
            "com.arjuna.ats.internal.jdbc.DynamicClass",
            "org.apache.commons.dbcp2.managed.ManagedDataSource",
            "org.apache.commons.dbcp2.managed.BasicManagedDataSource",
            "org.apache.openejb.resource.jdbc.managed.local.ManagedDataSource");

    private OwnedConnections() {}

    /**
     * @throws IllegalArgumentException if the DataSource hands out connections with transactions of the application
     */
    static void mustBeOwned(DataSource given) {
        DataSource source = given;
        for (int depth = 0; source != null && depth < DEPTH_MAX; depth++) {
            for (Class<?> type = source.getClass(); type != null; type = type.getSuperclass()) {
                if (TRANSACTIONAL.contains(type.getName())) {
                    throw new IllegalArgumentException("This DataSource (" + type.getSimpleName()
                            + ") hands out the connections of the application's transactions." + REMEDY);
                }
            }
            source = behind(source);
        }
    }

    /** What a wrapper of Spring's, or of that form, stands for; null if it is none. */
    private static @Nullable DataSource behind(DataSource source) {
        try {
            Object target = source.getClass().getMethod("getTargetDataSource").invoke(source);
            return target instanceof DataSource behind ? behind : null;
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            // no wrapper, or one that does not say what it wraps
            return null;
        }
    }

    /**
     * A connection that takes part in no transaction.
     *
     * @throws IllegalArgumentException if its autocommit is off
     */
    static Connection free(DataSource source) throws SQLException {
        Connection connection = source.getConnection();
        boolean free = false;
        try {
            free = connection.getAutoCommit();
            if (!free) {
                throw new IllegalArgumentException(
                        "This DataSource hands out connections with autocommit off, which may"
                                + " be in the middle of a transaction of the application." + REMEDY
                                + " A pool that switches autocommit off by default needs a second one for the storage.");
            }
            return connection;
        } finally {
            if (!free) {
                connection.close();
            }
        }
    }
}
