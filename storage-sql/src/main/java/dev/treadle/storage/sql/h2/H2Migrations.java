package dev.treadle.storage.sql.h2;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.storage.sql.migrations.Migrations;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.sql.Statement;
import javax.sql.DataSource;

/** H2 commits at each change of a table, so a second connection holds the lock, and every statement can be repeated. */
public final class H2Migrations extends Migrations {
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

    public H2Migrations() {
        this(Migrations::restShortly);
    }

    /** @param rest what to do before the next try of what has collided */
    public H2Migrations(Runnable rest) {
        super("H2", rest);
    }

    /** @throws IllegalStateException if the pool has one connection only */
    @Override
    protected void applyLocked(Connection connection, DataSource others, String name) throws SQLException {
        try (Connection lock = secondConnection(connection, others)) {
            persistently(() -> inTransaction(lock, LOCK, () -> applyIfMissing(connection, name)));
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
