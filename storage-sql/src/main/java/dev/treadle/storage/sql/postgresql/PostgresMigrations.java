package dev.treadle.storage.sql.postgresql;

import dev.treadle.storage.sql.migrations.Migrations;
import dev.treadle.storage.sql.session.SqlFailure;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import javax.sql.DataSource;

/** Applies each step in one transaction, under a lock on {@code treadle_schema}. */
public final class PostgresMigrations extends Migrations {
    /**
     * A migration takes as long as it needs, so nothing limits it or the wait for another process that migrates. It waits
     * for the lock of a table only briefly, again and again: every writer of that table waits behind it.
     */
    private static final String LOCK =
            "set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0;"
                    + " lock table treadle_schema in share row exclusive mode; set local lock_timeout = ";

    /** How long a migration waits for the lock of a table before it lets others pass, in milliseconds. */
    private static final int TABLE_LOCK_MILLIS = 2_000;

    /**
     * The lock is held for longer than this connection waits; and what "if not exists" meets while another process creates
     * the same: the table, its type, its row in the catalogue.
     */
    private static final Set<String> COLLISIONS = Set.of("55P03", "42P07", "42710", "XX000");

    /** This role may not do that. */
    private static final String NO_RIGHT = "42501";

    private final int tableLockMillis;

    public PostgresMigrations() {
        this(Migrations::restShortly, TABLE_LOCK_MILLIS);
    }

    /**
     * @param rest            what to do before the next try of what has collided
     * @param tableLockMillis how long to wait for the lock of a table, in milliseconds
     */
    public PostgresMigrations(Runnable rest, int tableLockMillis) {
        super("POSTGRESQL", rest);
        this.tableLockMillis = tableLockMillis;
    }

    @Override
    protected void applyLocked(Connection connection, DataSource others, String name) throws SQLException {
        persistently(() -> inTransaction(connection, LOCK + tableLockMillis, () -> {
            applyIfMissing(connection, name);
            connection.commit();
        }));
    }

    @Override
    protected boolean isCollision(SQLException e) {
        return SqlFailure.of(e) == SqlFailure.ROLLED_BACK || COLLISIONS.contains(String.valueOf(e.getSQLState()));
    }

    @Override
    protected SQLException explained(SQLException e) {
        if (!NO_RIGHT.equals(e.getSQLState())) {
            return e;
        }
        return new SQLException(
                "Treadle's tables are to be made or changed, and this role may not: " + e.getMessage()
                        + ". Let a role that may create tables apply the script that"
                        + " SqlStorageProvider.schemaScript(Dialect.POSTGRESQL) gives, and open the storage with"
                        + " SqlStorageSettings.Schema.VALIDATE",
                e.getSQLState(),
                e);
    }
}
