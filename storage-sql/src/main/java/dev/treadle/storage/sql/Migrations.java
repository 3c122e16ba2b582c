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
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32;

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
            "V008__search");

    private static final String CREATE_TABLE = "create table if not exists treadle_schema ("
            + "name varchar(200) primary key, checksum bigint not null, applied_at timestamp with time zone not null)";

    /** Most tries of one statement. */
    private static final int TRIES_MAX = 10;
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
     * Applies what is missing. Several processes may do this at once: PostgreSQL applies each step in one transaction
     * under a lock, so that the others find it done; H2 commits at each change of a table, so there every statement can
     * be repeated.
     */
    void apply(Connection connection) throws SQLException {
        connection.setAutoCommit(true);
        execute(connection, CREATE_TABLE);
        check(applied(connection));
        for (String name : NAMES) {
            if (applied(connection).containsKey(name)) {
                continue;
            }
            if (dialect == Dialect.POSTGRESQL) {
                applyInTransaction(connection, name);
            } else {
                applyAll(connection, name);
            }
        }
    }

    private void applyInTransaction(Connection connection, String name) throws SQLException {
        connection.setAutoCommit(false);
        boolean done = false;
        try (Statement lock = connection.createStatement()) {
            lock.execute("lock table treadle_schema in share row exclusive mode");
            if (!applied(connection).containsKey(name)) {
                applyAll(connection, name);
            }
            connection.commit();
            done = true;
        } finally {
            if (!done) {
                connection.rollback();
            }
            connection.setAutoCommit(true);
        }
    }

    private void applyAll(Connection connection, String name) throws SQLException {
        for (String statement : statements(text(name))) {
            if (connection.getAutoCommit() && applied(connection).containsKey(name)) {
                // another process was faster
                return;
            }
            execute(connection, statement);
        }
        remember(connection, name);
    }

    /** @throws IllegalStateException naming what is missing */
    void validate(Connection connection) throws SQLException {
        Map<String, Long> applied;
        try {
            applied = applied(connection);
        } catch (SQLException e) {
            throw new IllegalStateException(
                    "Treadle's tables are not there, or this user may not read them ("
                            + e.getMessage() + "). Apply the script that SqlStorageProvider.schemaScript(Dialect."
                            + dialect
                            + ") gives, or let the storage do it with SqlStorageSettings.Schema.MIGRATE.",
                    e);
        }
        check(applied);
        List<String> missing =
                NAMES.stream().filter(name -> !applied.containsKey(name)).toList();
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
                ResultSet rows = select.executeQuery("select name, checksum from treadle_schema order by name")) {
            while (rows.next()) {
                applied.put(rows.getString(1), rows.getLong(2));
            }
        }
        return applied;
    }

    private void remember(Connection connection, String name) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "insert into treadle_schema (name, checksum, applied_at) values (?, ?, current_timestamp)")) {
            insert.setString(1, name);
            insert.setLong(2, checksum(name));
            insert.executeUpdate();
        } catch (SQLException e) {
            if (!connection.getAutoCommit() || !applied(connection).containsKey(name)) {
                throw e;
            }
            // another process applied the same at the same time
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        for (int tries = 1; ; tries++) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
                return;
            } catch (SQLException e) {
                // "if not exists" still collides when two processes create the same thing in the same moment, and on H2
                // they may hold a table each that the other one wants
                if (tries == TRIES_MAX || !connection.getAutoCommit()) {
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
