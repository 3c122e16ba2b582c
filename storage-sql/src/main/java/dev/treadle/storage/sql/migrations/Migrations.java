package dev.treadle.storage.sql.migrations;

import dev.treadle.storage.sql.session.SchemaName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The numbered steps from an empty database to the present tables; each is applied once and never changed after. */
public abstract class Migrations {
    private static final String SCHEMA_TABLE = "treadle_schema";

    private static final Set<String> SCHEMA_COLUMNS = Set.of("name", "checksum", "applied_at", "compatible");

    /** Most tries of what collides with other processes. */
    public static final int TRIES_MAX = 30;
    /** The longest rest before the next, in nanoseconds. */
    private static final long TRY_AGAIN_NANOS_MAX = 200_000_000;

    private static final Logger LOG = LoggerFactory.getLogger(Migrations.class);

    private final String dialect;
    private final SchemaName schema;
    private final Runnable rest;
    private final List<Migration> steps;

    /**
     * @param dialect its name, as users write it
     * @param schema  where the tables are
     * @param rest    what to do before the next try of what has collided
     * @param steps   in the order in which they are applied
     */
    protected Migrations(String dialect, SchemaName schema, Runnable rest, List<Migration> steps) {
        this.dialect = dialect;
        this.schema = schema;
        this.rest = rest;
        this.steps = List.copyOf(steps);
    }

    /** Lets some time pass, so that two that collided do not collide again. */
    protected static void restShortly() {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(TRY_AGAIN_NANOS_MAX));
    }

    /** Applies one step under a lock that keeps other processes from doing so, unless another process was faster. */
    protected abstract void applyLocked(Connection connection, DataSource others, Migration step) throws SQLException;

    /** The tables of a schema that have names of ours, and their columns; all in lower case. */
    protected abstract Map<String, Set<String>> columns(Connection connection, SchemaName schema) throws SQLException;

    /** A statement with the names of ours in their schema. */
    protected String qualified(String sql) {
        return schema.qualified(sql);
    }

    /** Reads what {@link #columns} answers from rows of: table, column. Its parameter is the name of the schema, or null. */
    protected static Map<String, Set<String>> columns(Connection connection, String sql, SchemaName schema)
            throws SQLException {
        Map<String, Set<String>> columns = new HashMap<>();
        try (PreparedStatement select = connection.prepareStatement(sql)) {
            select.setString(1, schema.name());
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    columns.computeIfAbsent(rows.getString(1), unseen -> new HashSet<>())
                            .add(rows.getString(2));
                }
            }
        }
        return columns;
    }

    /** Whether other processes that do the same are the cause, so that it is worth trying again. */
    protected abstract boolean isCollision(SQLException e);

    /** Says what to do where the database's own words do not. */
    protected SQLException explained(SQLException e) {
        return e;
    }

    /** All steps as one script, for those who apply it themselves. */
    public final String script() {
        StringBuilder script = new StringBuilder();
        if (schema.name() != null) {
            script.append("create schema if not exists ").append(schema.name()).append(";\n");
        }
        scripts()
                .forEach((name, text) ->
                        script.append("-- ").append(name).append('\n').append(text));
        return script.toString();
    }

    /** Each step as a script of its own, by its name and in their order. */
    public final Map<String, String> scripts() {
        Map<String, String> scripts = new LinkedHashMap<>();
        steps.forEach(step -> scripts.put(step.name(), qualified(step.script())));
        return scripts;
    }

    /**
     * Applies what is missing. Several processes may do this at once: one works, under a lock, and the others find it
     * done. PostgreSQL applies each step in one transaction; H2 commits at each change of a table, so there another
     * connection holds the lock, and every statement can be repeated.
     *
     * @throws IllegalStateException if a table is not ours, or tables are missing on H2 and the pool has one connection only
     */
    public final void apply(Connection connection, DataSource others) throws SQLException {
        if (checkedMissing(connection, present(connection)).isEmpty()) {
            // so that a role that may create nothing can open complete tables
            return;
        }
        int answerMillisMax = connection.getNetworkTimeout();
        connection.setNetworkTimeout(Runnable::run, 0);
        try {
            applyMissing(connection, others);
        } catch (SQLException e) {
            throw explained(e);
        } finally {
            if (!connection.isClosed()) {
                connection.setNetworkTimeout(Runnable::run, answerMillisMax);
            }
        }
    }

    private void applyMissing(Connection connection, DataSource others) throws SQLException {
        if (schema.name() != null && !isThere(connection, schema.name())) {
            persistently(() -> execute(connection, "create schema if not exists " + schema.name()));
        }
        persistently(() -> execute(connection, qualified(Migration.CREATE_SCHEMA_TABLE)));
        for (Migration step : missing(applied(connection))) {
            applyLocked(connection, others, step);
        }
    }

    /** Asked, because a role that may create tables need not be one that may create schemas. */
    protected boolean isThere(Connection connection, String schema) throws SQLException {
        try (ResultSet schemas = connection.getMetaData().getSchemas()) {
            while (schemas.next()) {
                if (schema.equalsIgnoreCase(schemas.getString("TABLE_SCHEM"))) {
                    return true;
                }
            }
            return false;
        }
    }

    /** What is done in one transaction, or again after a collision. */
    protected interface Work {
        void run() throws SQLException;
    }

    /** What the work has not committed is undone; a failure to do so does not hide why. */
    protected static void inTransaction(Connection connection, String lock, Work work) throws SQLException {
        connection.setAutoCommit(false);
        try {
            execute(connection, lock);
            work.run();
        } catch (SQLException | RuntimeException e) {
            try {
                connection.rollback();
                connection.setAutoCommit(true);
            } catch (SQLException undoing) {
                e.addSuppressed(undoing);
            }
            throw e;
        }
        connection.rollback();
        connection.setAutoCommit(true);
    }

    protected final void applyIfMissing(Connection connection, Migration step) throws SQLException {
        if (!missing(applied(connection)).contains(step)) {
            // another process was faster
            return;
        }
        for (String statement : step.statements()) {
            execute(connection, qualified(statement));
        }
        try (PreparedStatement insert = connection.prepareStatement(
                qualified("insert into treadle_schema (name, checksum, applied_at, compatible)"
                        + " values (?, ?, current_timestamp, ?)"))) {
            insert.setString(1, step.name());
            insert.setLong(2, step.checksum());
            insert.setBoolean(3, step.isCompatible());
            insert.executeUpdate();
        }
    }

    /** @throws IllegalStateException saying what is missing, or what is not Treadle's */
    public final void validate(Connection connection) throws SQLException {
        PresentTables present;
        List<Migration> missing;
        try {
            present = present(connection);
            missing = checkedMissing(connection, present);
            if (missing.isEmpty()) {
                mustHaveIndexes(connection);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(
                    "Treadle's tables cannot be read by this user (" + e.getMessage() + "). " + remedy("Apply"), e);
        }
        if (!present.has(SCHEMA_TABLE)) {
            throw new IllegalStateException("Treadle's tables are not there. " + remedy("Apply"));
        }
        if (!missing.isEmpty()) {
            throw new IllegalStateException("These migrations of Treadle's tables are missing: "
                    + missing.stream().map(Migration::name).toList() + ". " + remedy("Apply them from"));
        }
    }

    private void mustHaveIndexes(Connection connection) throws SQLException {
        List<String> missing = PresentIndexes.missing(connection, schema, steps);
        if (!missing.isEmpty()) {
            throw new IllegalStateException(
                    "Indexes of Treadle's tables are missing, without which it slows down as the tables grow. Make them: "
                            + qualified(String.join("; ", missing)) + ";");
        }
    }

    private String remedy(String apply) {
        String arguments = "Dialect." + dialect + (schema.name() == null ? "" : ", \"" + schema.name() + "\"");
        return apply + " the script that SqlStorageProvider.schemaScript(" + arguments
                + ") gives, or let the storage do it with SqlStorageSettings.Schema.MIGRATE.";
    }

    private PresentTables present(Connection connection) throws SQLException {
        return new PresentTables(columns(connection, schema));
    }

    /** What has to be applied, after a look at what is there. */
    private List<Migration> checkedMissing(Connection connection, PresentTables present) throws SQLException {
        present.mustBeOurs(SCHEMA_TABLE, SCHEMA_COLUMNS);
        Map<String, Applied> applied = present.has(SCHEMA_TABLE) ? applied(connection) : Map.of();
        check(applied);
        for (Migration step : steps) {
            if (applied.containsKey(step.name())) {
                present.mustBeWhole(step);
            } else {
                step.created().forEach(present::mustBeOurs);
            }
        }
        return missing(applied);
    }

    private void check(Map<String, Applied> all) {
        Map<String, Migration> known = new HashMap<>();
        steps.forEach(step -> known.put(step.name(), step));
        all.forEach((name, applied) -> {
            Migration step = known.get(name);
            if (step == null) {
                if (!applied.compatible) {
                    throw new IllegalStateException("The tables have the migration " + name
                            + ", which this Treadle does not know and cannot work with: a newer one made it. Upgrade this"
                            + " application.");
                }
                LOG.info("The tables have the migration {} of a newer Treadle, which this one can work with.", name);
            } else if (applied.checksum != step.checksum()) {
                throw new IllegalStateException("The migration " + name
                        + " was applied from another text than this Treadle has. Use the release that applied it,"
                        + " or compare the tables with the script and correct the checksum in treadle_schema to "
                        + step.checksum() + ".");
            }
        });
    }

    /**
     * What the table says of a migration.
     *
     * @param compatible whether a release that does not know it can work with it
     */
    private record Applied(long checksum, boolean compatible) {}

    private Map<String, Applied> applied(Connection connection) throws SQLException {
        Map<String, Applied> applied = new LinkedHashMap<>();
        try (Statement select = connection.createStatement();
                ResultSet rows = select.executeQuery(qualified("select name, checksum, compatible from treadle_schema"
                        + " where name <> 'lock' order by name"))) {
            while (rows.next()) {
                applied.put(rows.getString(1), new Applied(rows.getLong(2), rows.getBoolean(3)));
            }
        }
        return applied;
    }

    private List<Migration> missing(Map<String, Applied> applied) {
        return steps.stream().filter(step -> !applied.containsKey(step.name())).toList();
    }

    protected static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** For what collides with other processes that do the same: whatever it was, it has undone by then. */
    protected final void persistently(Work work) throws SQLException {
        for (int tries = 1; ; tries++) {
            try {
                work.run();
                return;
            } catch (SQLException e) {
                if (tries == TRIES_MAX || !isCollision(e)) {
                    throw e;
                }
                rest.run();
            }
        }
    }
}
