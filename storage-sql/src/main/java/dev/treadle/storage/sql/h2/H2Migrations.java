package dev.treadle.storage.sql.h2;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.storage.sql.migrations.Migration;
import dev.treadle.storage.sql.migrations.Migrations;
import dev.treadle.storage.sql.session.SchemaName;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;

/** H2 commits at each change of a table, so a second connection holds the lock, and every statement can be repeated. */
public final class H2Migrations extends Migrations {
    private static final String NAME = "H2";

    private static final String COLUMNS = "select lower(table_name), lower(column_name) from information_schema.columns"
            + " where lower(table_schema) = coalesce(cast(? as varchar), lower(current_schema))"
            + " and lower(table_name) like 'treadle\\_%'";

    /**
     * A row that is never committed: who puts in the same waits for the end of that transaction. Why merged: if one
     * was committed anyway, it is locked like any other.
     */
    private static final String LOCK = "merge into treadle_schema (name, checksum, applied_at) key (name)"
            + " values ('lock', 0, current_timestamp)";

    private static final String TWO_NEEDED = "Changing Treadle's tables on H2 takes two connections at once; one of"
            + " them holds a lock. Let the pool have two or more, or apply the script that"
            + " SqlStorageProvider.schemaScript(Dialect.H2) gives and open the storage with"
            + " SqlStorageSettings.Schema.VALIDATE.";

    private final SchemaName schema;

    public H2Migrations(SchemaName schema) {
        this(schema, Migrations::restShortly, Migration.all(NAME));
    }

    /** @param rest what to do before the next try of what has collided */
    public H2Migrations(SchemaName schema, Runnable rest, List<Migration> steps) {
        super(NAME, schema, rest, steps);
        this.schema = schema;
    }

    @Override
    protected Map<String, Set<String>> columns(Connection connection, SchemaName schema) throws SQLException {
        return columns(connection, COLUMNS, schema);
    }

    /** Here an index that is being created needs its schema. */
    @Override
    protected String qualified(String sql) {
        String ours = super.qualified(sql);
        return schema.name() == null
                ? ours
                : ours.replace("index if not exists treadle_", "index if not exists " + schema.name() + ".treadle_");
    }

    /** @throws IllegalStateException if the pool has one connection only */
    @Override
    protected void applyLocked(Connection connection, DataSource others, Migration step) throws SQLException {
        try (Connection lock = secondConnection(connection, others)) {
            persistently(() -> inTransaction(lock, qualified(LOCK), () -> applyIfMissing(connection, step)));
        }
    }

    /**
     * H2 has many names for a collision, waits for a lock for a second or two only, and loses sight of a table in the middle
     * of its change: three seconds of failed tries are cheaper there than a start that fails.
     */
    @Override
    protected boolean isCollision(SQLException e) {
        return true;
    }

    /** For the lock; said clearly where there is none, since the pool's own words are about time. */
    private static Connection secondConnection(Connection first, DataSource pool) throws SQLException {
        // asked, because it would let us wait for its connectionTimeout
        if (pool instanceof HikariDataSource hikari && hikari.getMaximumPoolSize() < 2) {
            throw new IllegalStateException("The pool has a maximumPoolSize of 1. " + TWO_NEEDED);
        }
        Connection second;
        try {
            second = pool.getConnection();
        } catch (SQLException e) {
            throw new SQLTransientException(
                    "the pool gave no second connection (" + e.getMessage() + "). " + TWO_NEEDED, e);
        }
        boolean another = false;
        try {
            another = session(first) != session(second);
        } finally {
            if (!another) {
                second.close();
            }
        }
        if (!another) {
            throw new IllegalStateException("The DataSource gives the same connection again and again. " + TWO_NEEDED);
        }
        return second;
    }

    private static long session(Connection connection) throws SQLException {
        try (Statement select = connection.createStatement();
                ResultSet row = select.executeQuery("select session_id()")) {
            row.next();
            return row.getLong(1);
        }
    }
}
