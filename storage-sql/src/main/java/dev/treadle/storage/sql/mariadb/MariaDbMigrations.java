package dev.treadle.storage.sql.mariadb;

import dev.treadle.storage.sql.migrations.Migration;
import dev.treadle.storage.sql.migrations.Migrations;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.SchemaName;
import dev.treadle.storage.sql.session.SqlFailure;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;

/**
 * MariaDB commits at each change of a table, so a named lock of the server keeps other processes from migrating, and every
 * statement can be repeated.
 */
public final class MariaDbMigrations extends Migrations {
    private static final String NAME = "MARIADB";

    private static final String COLUMNS = "select lower(table_name), lower(column_name) from information_schema.columns"
            + " where table_schema = coalesce(?, database()) and table_name like 'treadle\\_%'";

    /** Names of locks are short, so the database is in it as a number. */
    private static final String LOCK_NAME = "concat('treadle.', md5(coalesce(?, database())))";

    /** The longest wait for another process that migrates. */
    private static final int LOCK_SECONDS_MAX = 600;

    /**
     * A migration takes as long as it needs. It waits for the lock of a table only briefly, again and again: every statement
     * about that table waits behind it.
     */
    private static final String LIMITS = "set max_statement_time = 0, lock_wait_timeout = 2";

    /** Answers the statement that goes back to what the session had. */
    private static final String USUAL_LIMITS =
            "select concat('set max_statement_time = ', @@max_statement_time, ', lock_wait_timeout = ', @@lock_wait_timeout)";

    /** Schema, table and index are there already: another process made them since we looked. */
    private static final Set<Integer> COLLISIONS = Set.of(1007, 1050, 1061);

    /** This user may not do that, to the database, to a table, or at all. */
    private static final Set<Integer> NO_RIGHT = Set.of(1044, 1142, 1227);

    private final SchemaName schema;

    public MariaDbMigrations(SchemaName schema) {
        this(schema, Migrations::restShortly, Migration.all(NAME));
    }

    /** @param rest what to do before the next try of what has collided */
    public MariaDbMigrations(SchemaName schema, Runnable rest, List<Migration> steps) {
        super(NAME, schema, rest, steps);
        this.schema = schema;
    }

    @Override
    protected Map<String, Set<String>> columns(Connection connection, SchemaName schema) throws SQLException {
        return columns(connection, COLUMNS, schema);
    }

    @Override
    protected String qualified(String sql) {
        return MariaDbText.of(super.qualified(sql));
    }

    /** Here a schema is a database, and the driver does not list those as schemas. */
    @Override
    protected boolean isThere(Connection connection, String schema) throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement("select 1 from information_schema.schemata where schema_name = ?")) {
            select.setString(1, schema);
            try (ResultSet row = select.executeQuery()) {
                return row.next();
            }
        }
    }

    @Override
    protected void applyLocked(Connection connection, DataSource others, Migration step) throws SQLException {
        String usual = Rows.onlyText(connection, USUAL_LIMITS);
        execute(connection, LIMITS);
        try {
            lockAndApply(connection, step);
        } finally {
            if (!connection.isClosed()) {
                execute(connection, usual);
            }
        }
    }

    private void lockAndApply(Connection connection, Migration step) throws SQLException {
        if (answer(connection, "select get_lock(" + LOCK_NAME + ", " + LOCK_SECONDS_MAX + ")") != 1) {
            throw new SQLTransientException("Another process has been changing Treadle's tables for " + LOCK_SECONDS_MAX
                    + " s. Look at SHOW PROCESSLIST for what it does, and start again");
        }
        try {
            persistently(() -> applyIfMissing(connection, step));
        } finally {
            if (!connection.isClosed()) {
                answer(connection, "select release_lock(" + LOCK_NAME + ")");
            }
        }
    }

    private int answer(Connection connection, String sql) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(sql)) {
            select.setString(1, schema.name());
            try (ResultSet row = select.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    @Override
    protected boolean isCollision(SQLException e) {
        return SqlFailure.of(e) == SqlFailure.ROLLED_BACK || COLLISIONS.contains(e.getErrorCode());
    }

    @Override
    protected SQLException explained(SQLException e) {
        if (!NO_RIGHT.contains(e.getErrorCode())) {
            return e;
        }
        return new SQLException(
                "Treadle's tables are to be made or changed, and this user may not: " + SqlFailure.said(e)
                        + ". Let a user that may create tables apply the script that"
                        + " SqlStorageProvider.schemaScript(Dialect.MARIADB) gives, and open the storage with"
                        + " SqlStorageSettings.Schema.VALIDATE",
                e.getSQLState(),
                e);
    }
}
