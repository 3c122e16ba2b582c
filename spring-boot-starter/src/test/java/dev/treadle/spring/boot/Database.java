package dev.treadle.spring.boot;

import dev.treadle.postgres.PrivatePostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;

/** The databases of the tests; each is made when its test class asks for it first. */
enum Database {
    H2 {
        @Override
        String newUrl() {
            return "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        }
    },

    POSTGRESQL {
        @Override
        String newUrl() {
            String name = "t" + UUID.randomUUID().toString().replace("-", "");
            try (Connection admin = DriverManager.getConnection(Postgres.SERVER.url("postgres") + "?user=postgres");
                    Statement statement = admin.createStatement()) {
                statement.execute("create database " + name);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
            return Postgres.SERVER.url(name)
                    + "?socketTimeout=60&options=-c%20lock_timeout=8s%20-c%20statement_timeout=50s";
        }
    };

    private final String user = name().equals("H2") ? "sa" : "postgres";

    abstract String newUrl();

    /** What makes Spring Boot use a new database. */
    String[] properties() {
        return new String[] {
            "spring.datasource.url=" + newUrl(),
            "spring.datasource.username=" + user,
            "spring.flyway.enabled=false",
            "spring.liquibase.enabled=false",
            "spring.main.banner-mode=off"
        };
    }

    private static final class Postgres {
        static final PrivatePostgres SERVER = PrivatePostgres.start("treadle-boot", "postgres", List.of());
    }
}
