package dev.treadle.storage.sql;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
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
            "V009__figures");

    private static final String CREATE_TABLE = "create table if not exists treadle_schema ("
            + "name varchar(200) primary key, checksum bigint not null, applied_at timestamp with time zone not null)";

    /** A row that is never committed: who puts in the same waits for the end of that transaction. */
    private static final String LOCK_ON_H2 =
            "insert into treadle_schema (name, checksum, applied_at) values ('lock', 0, current_timestamp)";

    /** Most tries of a statement that collides with other processes. */
    private static final int TRIES_MAX = 30;
    /** The longest rest before the next, in nanoseconds. */
    private static final long TRY_AGAIN_NANOS_MAX = 200_000_000;

    private final Dialect dialect;

    Migrations(Dialect dialect) {
        this.dialect = dialect;
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
     */
    void apply(Connection connection, DataSource others) throws SQLException {
        connection.setAutoCommit(true);
        persistently(connection, CREATE_TABLE);
        check(applied(connection));
        for (String name : missing(connection)) {
            if (dialect == Dialect.POSTGRESQL) {
                inTransaction(connection, "lock table treadle_schema in share row exclusive mode", () -> {
                    applyIfMissing(connection, name);
                    connection.commit();
                });
            } else {
                try (Connection lock = others.getConnection()) {
                    inTransaction(lock, LOCK_ON_H2, () -> applyIfMissing(connection, name));
                }
            }
        }
    }

    private interface Work {
        void run() throws SQLException;
    }

    /** What the work has not committed is undone. */
    private static void inTransaction(Connection connection, String lock, Work work) throws SQLException {
        connection.setAutoCommit(false);
        try {
            persistently(connection, lock);
            work.run();
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    private void applyIfMissing(Connection connection, String name) throws SQLException {
        if (!missing(connection).contains(name)) {
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
            check(applied(connection));
            missing = missing(connection);
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

    private static List<String> missing(Connection connection) throws SQLException {
        Set<String> applied = applied(connection).keySet();
        return NAMES.stream().filter(name -> !applied.contains(name)).toList();
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /**
     * For what collides with other processes that do the same: "if not exists" does in the moment of the creation, and
     * H2 waits for a lock for a second or two only.
     */
    private static void persistently(Connection connection, String sql) throws SQLException {
        for (int tries = 1; ; tries++) {
            try {
                execute(connection, sql);
                return;
            } catch (SQLException e) {
                if (tries == TRIES_MAX) {
                    throw e;
                }
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(TRY_AGAIN_NANOS_MAX));
            }
        }
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
