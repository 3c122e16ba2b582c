package dev.treadle.storage.sql.postgresql;

import dev.treadle.storage.sql.migrations.Migration;
import dev.treadle.storage.sql.migrations.Migrations;
import dev.treadle.storage.sql.session.SchemaName;
import dev.treadle.storage.sql.session.SqlFailure;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;

/** Applies each step in one transaction, under a lock on {@code treadle_schema}. */
public final class PostgresMigrations extends Migrations {
    private static final String NAME = "POSTGRESQL";

    /** Of tables without a schema those count that unqualified names lead to. */
    private static final String COLUMNS = "select c.relname, a.attname from (select ?::text as name) wanted"
            + " join pg_class c on c.relname like 'treadle\\_%' and c.relkind in ('r', 'p')"
            + " and case when wanted.name is null then pg_table_is_visible(c.oid)"
            + " else c.relnamespace = (select oid from pg_namespace where nspname = wanted.name) end"
            + " join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped";

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
     * the same: the schema, the table, its type, its row in the catalogue.
     */
    private static final Set<String> COLLISIONS = Set.of("55P03", "42P06", "42P07", "42710", "XX000");

    /** This role may not do that. */
    private static final String NO_RIGHT = "42501";

    private final int tableLockMillis;

    public PostgresMigrations(SchemaName schema) {
        this(schema, Migrations::restShortly, Migration.all(NAME), TABLE_LOCK_MILLIS);
    }

    /**
     * @param rest            what to do before the next try of what has collided
     * @param tableLockMillis how long to wait for the lock of a table, in milliseconds
     */
    public PostgresMigrations(SchemaName schema, Runnable rest, List<Migration> steps, int tableLockMillis) {
        super(NAME, schema, rest, steps);
        this.tableLockMillis = tableLockMillis;
    }

    @Override
    protected void applyLocked(Connection connection, DataSource others, Migration step) throws SQLException {
        persistently(() -> inTransaction(connection, qualified(LOCK) + tableLockMillis, () -> {
            applyIfMissing(connection, step);
            connection.commit();
        }));
    }

    @Override
    protected Map<String, Set<String>> columns(Connection connection, SchemaName schema) throws SQLException {
        return columns(connection, COLUMNS, schema);
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
