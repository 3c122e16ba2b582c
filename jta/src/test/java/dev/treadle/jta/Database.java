package dev.treadle.jta;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.postgres.PrivatePostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import javax.sql.XADataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.postgresql.xa.PGXADataSource;

/** The databases of the tests. */
enum Database {
    H2 {
        @Override
        String newUrl() {
            return "jdbc:h2:mem:t" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;USER=sa";
        }

        @Override
        String impatient(String url) {
            return url + ";LOCK_TIMEOUT=500";
        }

        @Override
        XADataSource xa(String url) {
            JdbcDataSource source = new JdbcDataSource();
            source.setURL(url);
            source.setUser("sa");
            return source;
        }
    },

    POSTGRESQL {
        @Override
        String newUrl() {
            String name = "t" + UUID.randomUUID().toString().replace("-", "");
            try (HikariDataSource admin = pool(url("postgres"))) {
                execute(admin, "create database " + name);
            }
            return url(name);
        }

        @Override
        String impatient(String url) {
            return url + "&options=-c%20lock_timeout=500";
        }

        @Override
        XADataSource xa(String url) {
            PGXADataSource source = new PGXADataSource();
            source.setUrl(url);
            return source;
        }
    };

    /** A new database. */
    abstract String newUrl();

    /** The same, where half a second is the longest wait for a lock. */
    abstract String impatient(String url);

    abstract XADataSource xa(String url);

    private static String url(String database) {
        return Postgres.SERVER.url(database) + "?user=postgres&socketTimeout=60";
    }

    static HikariDataSource pool(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(10);
        config.setMinimumIdle(0);
        return new HikariDataSource(config);
    }

    static void execute(HikariDataSource database, String sql) {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private static final class Postgres {
        static final PrivatePostgres SERVER =
                PrivatePostgres.start("treadle-jta", "postgres", List.of("max_prepared_transactions=20"));
    }
}
