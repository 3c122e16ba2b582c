package dev.treadle.storage.sql;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32;
import javax.sql.DataSource;

/** The numbered steps from an empty database to the present tables; each is applied once and never changed after. */
final class Migrations {
    private static final List<String> NAMES = List.of(
            "V001__jobs",
            "V002__traits",
            "V003__tally",
            "V003__recurring",
            "V004__queues",
            "V005__keys",
            "V006__control",
            "V007__retention",
            "V008__search",
            "V009__figures",
            "V010__defaults",
            "V011__judging");

    private static final String CREATE_TABLE = "create table if not exists treadle_schema ("
            + "name varchar(200) primary key, checksum bigint not null, applied_at timestamp with time zone not null)";

    private static final String LOCK_ON_POSTGRESQL = "lock table treadle_schema in share row exclusive mode";

    /**
     * A row that is never committed: who puts in the same waits for the end of that transaction. Why merged: should one
     * have been committed all the same, it is locked like any other.
     */
    private static final String LOCK_ON_H2 = "merge into treadle_schema (name, checksum, applied_at) key (name)"
            + " values ('lock', 0, current_timestamp)";

    private static final String TWO_ON_H2 =
            "Changing Treadle's tables on H2 takes two connections at once, one of which"
                    + " holds a lock. Let the pool have two or more, or apply the script that"
                    + " SqlStorageProvider.schemaScript(Dialect.H2) gives and open the storage with"
                    + " SqlStorageSettings.Schema.VALIDATE.";

    /** Most tries of what collides with other processes. */
    static final int TRIES_MAX = 30;
    /** The longest rest before the next, in nanoseconds. */
    private static final long TRY_AGAIN_NANOS_MAX = 200_000_000;
    /**
     * PostgreSQL: the lock is held for longer than this connection waits, and what "if not exists" meets in the moment of
     * a creation elsewhere: the table, its type, its row in the catalogue.
     */
    private static final Set<String> COLLISIONS_ON_POSTGRESQL = Set.of("55P03", "42P07", "42710", "XX000");

    private final Dialect dialect;
    private final Runnable rest;

    Migrations(Dialect dialect) {
        this(dialect, () -> LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(TRY_AGAIN_NANOS_MAX)));
    }

    /** @param rest what to do before the next try of what has collided */
    Migrations(Dialect dialect, Runnable rest) {
        this.dialect = dialect;
        this.rest = rest;
    }

    /** All steps as one script, for those who apply it themselves. */
    String script() {
        StringBuilder script = new StringBuilder(CREATE_TABLE).append(";\n");
        for (String name : NAMES) {
            script.append("\n-- ").append(name).append('\n').append(text(name));
            script.append("\ninsert into treadle_schema (name, checksum, applied_at) values ('")
                    .append(name)
                    .append("', ")
                    .append(checksum(name))
                    .append(", current_timestamp);\n");
        }
        return script.toString();
    }

    /**
     * Applies what is missing. Several processes may do this at once: one works, under a lock, and the others find it
     * done. PostgreSQL applies each step in one transaction; H2 commits at each change of a table, so there another
     * connection holds the lock, and every statement can be repeated.
     *
     * @throws IllegalStateException if tables are missing on H2 and the pool has one connection only
     */
    void apply(Connection connection, DataSource others) throws SQLException {
        connection.setAutoCommit(true);
        persistently(() -> execute(connection, CREATE_TABLE));
        for (String name : checkedMissing(connection)) {
            if (dialect == Dialect.POSTGRESQL) {
                persistently(() -> inTransaction(connection, LOCK_ON_POSTGRESQL, () -> {
                    applyIfMissing(connection, name);
                    connection.commit();
                }));
            } else {
                try (Connection lock = secondConnection(connection, others)) {
                    persistently(() -> inTransaction(lock, LOCK_ON_H2, () -> applyIfMissing(connection, name)));
                }
            }
        }
    }

    private interface Work {
        void run() throws SQLException;
    }

    /** What the work has not committed is undone; a failure to do so does not hide why. */
    private static void inTransaction(Connection connection, String lock, Work work) throws SQLException {
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

    /** For H2's lock; said clearly where there is none, since the pool's own words are about time. */
    private static Connection secondConnection(Connection first, DataSource pool) throws SQLException {
        // asked, because it would let us wait for its connectionTimeout
        if (pool instanceof HikariDataSource hikari && hikari.getMaximumPoolSize() < 2) {
            throw new IllegalStateException("The pool has a maximumPoolSize of 1. " + TWO_ON_H2);
        }
        Connection second;
        try {
            second = pool.getConnection();
        } catch (SQLException e) {
            throw new SQLTransientException(
                    "the pool gave no second connection (" + e.getMessage() + "). " + TWO_ON_H2, e);
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
            throw new IllegalStateException("The DataSource gives the same connection again and again. " + TWO_ON_H2);
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

    private void applyIfMissing(Connection connection, String name) throws SQLException {
        if (!missing(applied(connection)).contains(name)) {
            // another process was faster
            return;
        }
        for (String statement : statements(text(name))) {
            execute(connection, statement);
        }
        try (PreparedStatement insert = connection.prepareStatement(
                "insert into treadle_schema (name, checksum, applied_at) values (?, ?, current_timestamp)")) {
            insert.setString(1, name);
            insert.setLong(2, checksum(name));
            insert.executeUpdate();
        }
    }

    /** @throws IllegalStateException naming what is missing */
    void validate(Connection connection) throws SQLException {
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
        Map<String, Long> applied = applied(connection);
        check(applied);
        return missing(applied);
    }

    private void check(Map<String, Long> applied) {
        applied.forEach((name, checksum) -> {
            if (!NAMES.contains(name)) {
                throw new IllegalStateException("The tables have the migration " + name
                        + ", which this Treadle does not know: a newer one made it. Upgrade this application.");
            }
            if (checksum != checksum(name)) {
                throw new IllegalStateException("The migration " + name
                        + " was applied from another text than this Treadle has. Use the release that applied it,"
                        + " or compare the tables with the script and correct the checksum in treadle_schema to "
                        + checksum(name) + ".");
            }
        });
    }

    private static Map<String, Long> applied(Connection connection) throws SQLException {
        Map<String, Long> applied = new LinkedHashMap<>();
        try (Statement select = connection.createStatement();
                ResultSet rows = select.executeQuery(
                        "select name, checksum from treadle_schema where name <> 'lock' order by name")) {
            while (rows.next()) {
                applied.put(rows.getString(1), rows.getLong(2));
            }
        }
        return applied;
    }

    private static List<String> missing(Map<String, Long> applied) {
        List<String> missing = new ArrayList<>(NAMES);
        missing.removeAll(applied.keySet());
        return missing;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** For what collides with other processes that do the same: whatever it was, it has undone by then. */
    private void persistently(Work work) throws SQLException {
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

    /**
     * H2 has many names for it, waits for a lock for a second or two only, and loses sight of a table in the middle of its
     * change: three seconds of trying in vain are cheaper there than a start that fails.
     */
    private boolean isCollision(SQLException e) {
        return dialect == Dialect.H2
                || SqlFailure.of(e) == SqlFailure.ROLLED_BACK
                || COLLISIONS_ON_POSTGRESQL.contains(String.valueOf(e.getSQLState()));
    }

    private String text(String name) {
        String text = SqlText.read("migrations/" + dialect.folder() + "/" + name + ".sql");
        if (text == null) {
            throw new IllegalStateException("The migration " + name + " is missing for " + dialect + ".");
        }
        return text;
    }

    private long checksum(String name) {
        CRC32 checksum = new CRC32();
        checksum.update(text(name).getBytes(StandardCharsets.UTF_8));
        return checksum.getValue();
    }

    private static List<String> statements(String text) {
        List<String> statements = new ArrayList<>();
        Arrays.stream(SqlText.withoutComments(text).split(";\\s*(\n|$)"))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .forEach(statements::add);
        return statements;
    }
}
