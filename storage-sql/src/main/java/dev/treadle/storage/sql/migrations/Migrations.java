package dev.treadle.storage.sql.migrations;

import dev.treadle.storage.sql.session.SqlFailure;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The numbered steps from an empty database to the present tables; each is applied once and never changed after. */
public abstract class Migrations {
    private static final String CREATE_TABLE = "create table if not exists treadle_schema ("
            + "name varchar(200) primary key, checksum bigint not null, applied_at timestamp with time zone not null,"
            + " compatible boolean default false not null)";

    /** Tables of earlier releases do not have it: what they say of no migration counts as incompatible. */
    private static final String ADD_COMPATIBLE =
            "alter table treadle_schema add column if not exists compatible boolean default false not null";

    /** Most tries of what collides with other processes. */
    public static final int TRIES_MAX = 30;
    /** The longest rest before the next, in nanoseconds. */
    private static final long TRY_AGAIN_NANOS_MAX = 200_000_000;

    private static final Logger LOG = LoggerFactory.getLogger(Migrations.class);

    private final MigrationTexts texts;
    private final String dialect;
    private final Runnable rest;

    /**
     * @param dialect its name, as users write it
     * @param rest    what to do before the next try of what has collided
     */
    protected Migrations(String dialect, Runnable rest) {
        this.dialect = dialect;
        this.texts = new MigrationTexts(dialect.toLowerCase(Locale.ROOT));
        this.rest = rest;
    }

    /** Lets some time pass, so that two that collided do not collide again. */
    protected static void restShortly() {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(TRY_AGAIN_NANOS_MAX));
    }

    /** Applies one step under a lock that keeps other processes from doing so, unless another process was faster. */
    protected abstract void applyLocked(Connection connection, DataSource others, String name) throws SQLException;

    /** Whether other processes that do the same are the cause, so that it is worth trying again. */
    protected abstract boolean isCollision(SQLException e);

    /** Says what to do where the database's own words do not. */
    protected SQLException explained(SQLException e) {
        return e;
    }

    /** All steps as one script, for those who apply it themselves. */
    public final String script() {
        return texts.script(CREATE_TABLE + ";\n" + ADD_COMPATIBLE + ";\n");
    }

    /**
     * Applies what is missing. Several processes may do this at once: one works, under a lock, and the others find it
     * done. PostgreSQL applies each step in one transaction; H2 commits at each change of a table, so there another
     * connection holds the lock, and every statement can be repeated.
     *
     * @throws IllegalStateException if tables are missing on H2 and the pool has one connection only
     */
    public final void apply(Connection connection, DataSource others) throws SQLException {
        connection.setAutoCommit(true);
        if (isComplete(connection)) {
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

    private boolean isComplete(Connection connection) throws SQLException {
        try {
            return checkedMissing(connection).isEmpty();
        } catch (SQLException e) {
            if (SqlFailure.of(e).spoilsConnection()) {
                throw e;
            }
            // there is no table, or it cannot be read: the next statement makes it, or says what is wrong
            return false;
        }
    }

    private void applyMissing(Connection connection, DataSource others) throws SQLException {
        persistently(() -> execute(connection, CREATE_TABLE));
        if (!tellsOfCompatibility(connection)) {
            persistently(() -> execute(connection, ADD_COMPATIBLE));
        }
        for (String name : checkedMissing(connection)) {
            applyLocked(connection, others, name);
        }
    }

    private static boolean tellsOfCompatibility(Connection connection) throws SQLException {
        try (Statement select = connection.createStatement();
                ResultSet none = select.executeQuery("select * from treadle_schema where name is null")) {
            return isTold(none);
        }
    }

    /** The table of an earlier release has no such column, the last. */
    private static boolean isTold(ResultSet rows) throws SQLException {
        return rows.getMetaData().getColumnCount() > 3;
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

    protected final void applyIfMissing(Connection connection, String name) throws SQLException {
        if (!missing(applied(connection)).contains(name)) {
            // another process was faster
            return;
        }
        for (String statement : texts.statements(name)) {
            execute(connection, statement);
        }
        try (PreparedStatement insert = connection.prepareStatement(
                "insert into treadle_schema (name, checksum, applied_at, compatible) values (?, ?, current_timestamp, ?)")) {
            insert.setString(1, name);
            insert.setLong(2, texts.checksum(name));
            insert.setBoolean(3, texts.isCompatible(name));
            insert.executeUpdate();
        }
    }

    /** @throws IllegalStateException naming what is missing */
    public final void validate(Connection connection) throws SQLException {
        List<String> missing;
        try {
            missing = checkedMissing(connection);
        } catch (SQLException e) {
            throw new IllegalStateException(
                    "Treadle's tables are not there, or this user may not read them ("
                            + e.getMessage() + "). Apply the script that SqlStorageProvider.schemaScript(Dialect."
                            + dialect
                            + ") gives, or let the storage do it with SqlStorageSettings.Schema.MIGRATE.",
                    e);
        }
        if (!missing.isEmpty()) {
            throw new IllegalStateException("These migrations of Treadle's tables are missing: " + missing
                    + ". Apply them from the script that SqlStorageProvider.schemaScript(Dialect." + dialect
                    + ") gives, or let the storage do it with SqlStorageSettings.Schema.MIGRATE.");
        }
    }

    private List<String> checkedMissing(Connection connection) throws SQLException {
        Map<String, Applied> applied = applied(connection);
        check(applied);
        return missing(applied);
    }

    private void check(Map<String, Applied> all) {
        all.forEach((name, applied) -> {
            if (!MigrationTexts.NAMES.contains(name)) {
                if (!applied.compatible) {
                    throw new IllegalStateException("The tables have the migration " + name
                            + ", which this Treadle does not know and cannot work with: a newer one made it. Upgrade this"
                            + " application.");
                }
                LOG.info("The tables have the migration {} of a newer Treadle, which this one can work with.", name);
            } else if (applied.checksum != texts.checksum(name)) {
                throw new IllegalStateException("The migration " + name
                        + " was applied from another text than this Treadle has. Use the release that applied it,"
                        + " or compare the tables with the script and correct the checksum in treadle_schema to "
                        + texts.checksum(name) + ".");
            }
        });
    }

    /**
     * What the table says of a migration.
     *
     * @param compatible whether a release that does not know it can work with it
     */
    private record Applied(long checksum, boolean compatible) {}

    private static Map<String, Applied> applied(Connection connection) throws SQLException {
        Map<String, Applied> applied = new LinkedHashMap<>();
        try (Statement select = connection.createStatement();
                ResultSet rows =
                        select.executeQuery("select * from treadle_schema where name <> 'lock' order by name")) {
            boolean tells = isTold(rows);
            while (rows.next()) {
                applied.put(
                        rows.getString("name"),
                        new Applied(rows.getLong("checksum"), tells && rows.getBoolean("compatible")));
            }
        }
        return applied;
    }

    private static List<String> missing(Map<String, Applied> applied) {
        List<String> missing = new ArrayList<>(MigrationTexts.NAMES);
        missing.removeAll(applied.keySet());
        return missing;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
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
