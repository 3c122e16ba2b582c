package dev.treadle.storage.sql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.storage.sql.h2.H2Migrations;
import dev.treadle.storage.sql.mariadb.MariaDbMigrations;
import dev.treadle.storage.sql.migrations.Migration;
import dev.treadle.storage.sql.migrations.Migrations;
import dev.treadle.storage.sql.postgresql.PostgresMigrations;
import dev.treadle.storage.sql.session.SchemaName;
import dev.treadle.storage.sql.session.SqlSyntax;
import dev.treadle.storage.sql.session.StatementTexts;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;

/** Databases of their own for single tests, with no table in them. */
public final class EmptyDatabases {
    static final int CONNECTIONS_MAX = 8;

    private EmptyDatabases() {}

    public static HikariDataSource of(Dialect dialect) {
        return switch (dialect) {
            case H2 -> pool("jdbc:h2:mem:" + name() + ";DB_CLOSE_DELAY=-1;USER=sa");
            case POSTGRESQL -> pool(postgresUrl());
            case MARIADB -> pool(mariaDbUrl());
        };
    }

    /** The URL of a new database in the PostgreSQL of the tests. */
    static String postgresUrl() {
        String name = name();
        execute(TestDatabases.postgres(), "create database " + name);
        return TestDatabases.postgresUrl().replaceFirst("/[^/?]*[?]", "/" + name + "?");
    }

    /** The same in the MariaDB of the tests, whose connections are not READ COMMITTED. */
    static String mariaDbUrl() {
        String name = name();
        execute(TestDatabases.mariaDb(), "create database " + name);
        return TestDatabases.mariaDbUrl(name) + "&allowMultiQueries=true";
    }

    public static HikariDataSource pool(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(CONNECTIONS_MAX);
        config.setMinimumIdle(0);
        return new HikariDataSource(config);
    }

    public static void execute(HikariDataSource database, String sql) {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** Drops schemas that tests before may have left where all databases share them. */
    public static void dropSchemas(Dialect dialect, HikariDataSource database, String... names) {
        if (dialect == Dialect.MARIADB) {
            for (String name : names) {
                execute(database, "drop database if exists " + name);
            }
        }
    }

    private static String name() {
        return "t" + UUID.randomUUID().toString().replace("-", "");
    }

    /** The present migrations of a dialect. */
    public static Migrations migrations(Dialect dialect) {
        return OpenedDatabase.migrations(dialect, SchemaName.OF_CONNECTION);
    }

    /** Other migrations, which a test gives. */
    public static Migrations migrations(Dialect dialect, SchemaName schema, List<Migration> steps) {
        return switch (dialect) {
            case POSTGRESQL -> new PostgresMigrations(schema, () -> {}, steps, 2_000);
            case H2 -> new H2Migrations(schema, () -> {}, steps);
            case MARIADB -> new MariaDbMigrations(schema, () -> {}, steps);
        };
    }

    /** How a dialect's statements are put together. */
    public static SqlSyntax syntax(Dialect dialect) {
        return OpenedDatabase.syntax(dialect, SqlStorageSettings.DEFAULT, "treadle_due");
    }

    /** The statements of a storage on PostgreSQL. */
    public static StatementTexts statements(SqlStorageSettings settings) {
        return new StatementTexts(OpenedDatabase.syntax(Dialect.POSTGRESQL, settings, "treadle_due"));
    }

    /** The statements of a dialect. */
    public static StatementTexts statements(Dialect dialect) {
        return new StatementTexts(syntax(dialect));
    }
}
