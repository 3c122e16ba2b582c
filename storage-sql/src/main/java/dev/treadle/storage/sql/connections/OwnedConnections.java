package dev.treadle.storage.sql.connections;

import java.lang.reflect.InvocationTargetException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the storage away from transactions of the application. The storage commits by itself, so on a connection that
 * takes part in an application's transaction it would commit that transaction.
 */
final class OwnedConnections {
    /** Most DataSources within each other that are looked into. */
    private static final int DEPTH_MAX = 10;

    private static final String REMEDY = " The storage commits by itself and needs connections of its own: give it the"
            + " plain DataSource or pool behind this one, or a JDBC URL. Enqueue inside your transaction with"
            + " jobs.in(connection).";

    /** Those whose connections take part in the transaction of the calling thread; each name was looked up in its jar. */
    private static final Set<String> TRANSACTIONAL = Set.of(
            "org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy",
            // Atomikos: from 5 on, and before
            "com.atomikos.jdbc.internal.AbstractDataSourceBean",
            "com.atomikos.jdbc.AbstractDataSourceBean",
            "org.apache.commons.dbcp2.managed.ManagedDataSource",
            "org.apache.commons.dbcp2.managed.BasicManagedDataSource",
            // TomEE
            "org.apache.openejb.resource.jdbc.managed.local.ManagedDataSource");

    private static final String AGROAL = "io.agroal.api.";

    private OwnedConnections() {}

    /**
     * @throws IllegalArgumentException if the DataSource hands out connections with transactions of the application
     */
    static void mustBeOwned(DataSource given) {
        DataSource source = given;
        for (int depth = 0; source != null && depth < DEPTH_MAX; depth++) {
            for (Class<?> type = source.getClass(); type != null; type = type.getSuperclass()) {
                if (TRANSACTIONAL.contains(type.getName())) {
                    throw refused(type);
                }
            }
            if (isAgroalWithTransactions(source)) {
                throw refused(source.getClass());
            }
            source = behind(source);
        }
    }

    private static IllegalArgumentException refused(Class<?> type) {
        return new IllegalArgumentException("This DataSource (" + type.getSimpleName()
                + ") hands out the connections of the application's transactions." + REMEDY);
    }

    /** A pool of Agroal, as in Quarkus, enlists its connections if it was given a transaction integration. */
    private static boolean isAgroalWithTransactions(DataSource source) {
        try {
            ClassLoader loader = source.getClass().getClassLoader();
            Class<?> agroal = Class.forName(AGROAL + "AgroalDataSource", false, loader);
            if (!agroal.isInstance(source)) {
                return false;
            }
            Object configuration = agroal.getMethod("getConfiguration").invoke(source);
            Object pool = Class.forName(AGROAL + "configuration.AgroalDataSourceConfiguration", false, loader)
                    .getMethod("connectionPoolConfiguration")
                    .invoke(configuration);
            Object integration = Class.forName(
                            AGROAL + "configuration.AgroalConnectionPoolConfiguration", false, loader)
                    .getMethod("transactionIntegration")
                    .invoke(pool);
            Object none = Class.forName(AGROAL + "transaction.TransactionIntegration", false, loader)
                    .getMethod("none")
                    .invoke(null);
            // each call makes another "none"
            return integration.getClass() != none.getClass();
        } catch (ReflectiveOperationException e) {
            // not of Agroal, or of a version that is not known here: each connection is looked at, too
            return false;
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
