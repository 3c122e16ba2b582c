package dev.treadle.spring;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.postgres.PrivatePostgres;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.JdbcTemplate;

/** The databases of the tests; each pool leads to a new one. */
enum Database {
    H2 {
        @Override
        HikariDataSource pool() {
            return pool("jdbc:h2:mem:" + name() + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;USER=sa");
        }
    },

    POSTGRESQL {
        @Override
        HikariDataSource pool() {
            return pool(newPostgresUrl());
        }
    };

    abstract HikariDataSource pool();

    /** A new database in the PostgreSQL of these tests, which is started once and ends with the JVM. */
    static String newPostgresUrl() {
        String name = "t" + UUID.randomUUID().toString().replace("-", "");
        try (HikariDataSource admin = pool(url("postgres"))) {
            new JdbcTemplate(admin).execute("create database " + name);
        }
        return url(name);
    }

    private static String url(String database) {
        return Postgres.SERVER.url(database) + "?user=postgres&socketTimeout=60";
    }

    /** Another pool of the same database. */
    static HikariDataSource pool(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(10);
        config.setMinimumIdle(0);
        return new HikariDataSource(config);
    }

    private static final class Postgres {
        static final PrivatePostgres SERVER = PrivatePostgres.start("treadle-spring", "postgres", List.of());
    }
}
