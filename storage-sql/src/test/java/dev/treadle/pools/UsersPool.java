package dev.treadle.pools;

import com.mchange.v2.c3p0.ComboPooledDataSource;
import com.zaxxer.hikari.HikariDataSource;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.AgroalConnectionPoolConfiguration.ConnectionValidator;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.apache.tomcat.jdbc.pool.PoolProperties;
import org.postgresql.Driver;

/** The connection pools that applications use, set up as docs/postgresql.md says. */
enum UsersPool {
    HIKARI {
        @Override
        Opened open(String url) {
            HikariDataSource pool = new HikariDataSource();
            pool.setJdbcUrl(url);
            pool.setMaximumPoolSize(SIZE);
            pool.setConnectionTimeout(WAIT.toMillis());
            return new Opened(pool, () -> pool.getHikariPoolMXBean().getActiveConnections(), pool::close);
        }
    },

    AGROAL {
        @Override
        Opened open(String url) throws SQLException {
            AgroalDataSource pool = AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                    .metricsEnabled(true)
                    .connectionPoolConfiguration(all -> all.maxSize(SIZE)
                            .acquisitionTimeout(WAIT)
                            // without both it lends connections that have ended, again and again
                            .connectionValidator(ConnectionValidator.defaultValidator())
                            .validateOnBorrow(true)
                            .connectionFactoryConfiguration(one -> one.jdbcUrl(url))));
            return new Opened(pool, () -> (int) pool.getMetrics().activeCount(), pool::close);
        }
    },

    TOMCAT {
        @Override
        Opened open(String url) {
            PoolProperties settings = new PoolProperties();
            settings.setUrl(url);
            settings.setDriverClassName(Driver.class.getName());
            settings.setMaxActive(SIZE);
            settings.setInitialSize(0);
            settings.setMaxWait((int) WAIT.toMillis());
            settings.setTestOnBorrow(true);
            settings.setValidationInterval(1_000);
            // without these it lends connections as the last borrower left them
            settings.setJdbcInterceptors("ConnectionState");
            settings.setDefaultAutoCommit(true);
            settings.setDefaultReadOnly(false);
            settings.setDefaultTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            org.apache.tomcat.jdbc.pool.DataSource pool = new org.apache.tomcat.jdbc.pool.DataSource(settings);
            return new Opened(pool, pool::getActive, () -> pool.close(true));
        }
    },

    C3P0 {
        @Override
        Opened open(String url) throws SQLException {
            ComboPooledDataSource pool = new ComboPooledDataSource();
            pool.setJdbcUrl(url);
            pool.setMinPoolSize(1);
            pool.setInitialPoolSize(1);
            pool.setMaxPoolSize(SIZE);
            pool.setCheckoutTimeout((int) WAIT.toMillis());
            pool.setTestConnectionOnCheckout(true);
            return new Opened(pool, pool::getNumBusyConnections, pool::close);
        }
    };

    /** Enough for what a server keeps and for some calls beside. */
    static final int SIZE = 10;

    private static final Duration WAIT = Duration.ofSeconds(20);

    abstract Opened open(String url) throws SQLException;

    /** Whether it commits what a borrower left uncommitted: these two switch autocommit on, which commits. */
    boolean commitsWhatIsLeftOpen() {
        return this == AGROAL || this == TOMCAT;
    }

    /** Something that a pool is asked. */
    interface Count {
        int get() throws SQLException;
    }

    /**
     * A pool in use.
     *
     * @param busy how many of its connections are lent
     */
    record Opened(DataSource pool, Count busy, Runnable end) implements AutoCloseable {
        @Override
        public void close() {
            end.run();
        }
    }
}
