package dev.treadle.storage.sql.postgresql;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.postgresql.PGConnection;

/** Tells PostgreSQL from what only speaks its protocol, and new enough from too old. Asks the server nothing. */
public final class PostgresVersion {
    private static final int MAJOR_MIN = 14;

    private PostgresVersion() {}

    /**
     * What is dangerous about the kind of server, one sentence each with its remedy.
     *
     * @param isPortable whether PostgreSQL's own statements are left out
     * @throws IllegalArgumentException if jobs cannot be kept there
     */
    public static List<String> warnings(Connection connection, boolean isPortable) throws SQLException {
        DatabaseMetaData about = connection.getMetaData();
        String version = about.getDatabaseProductVersion();
        Optional<String> other = otherThanPostgres(connection, version);
        if (other.isPresent()) {
            if (!isPortable) {
                throw new IllegalArgumentException(
                        "This is " + other.get() + " and not PostgreSQL, and does not have all"
                                + " that Treadle's statements for PostgreSQL need. Use PostgreSQL " + MAJOR_MIN
                                + " or later; to try"
                                + " this server, open the storage with SqlStorageSettings.DEFAULT.withPortableSql(true).");
            }
            return List.of(
                    "This is " + other.get() + " and not PostgreSQL. No promise of Treadle has been tried there: run"
                            + " ./treadle test --storage with its URL before you trust it with jobs.");
        }
        if (about.getDatabaseMajorVersion() < MAJOR_MIN) {
            throw new IllegalArgumentException("This PostgreSQL is " + version + ", and Treadle needs " + MAJOR_MIN
                    + " or later. Upgrade the server.");
        }
        return List.of();
    }

    private static Optional<String> otherThanPostgres(Connection connection, String version) throws SQLException {
        if (version.contains("-YB-")) {
            return Optional.of("YugabyteDB (" + version + ")");
        }
        // what it tells every client at the start of a session, so no statement is needed
        String cockroach = connection.isWrapperFor(PGConnection.class)
                ? connection.unwrap(PGConnection.class).getParameterStatus("crdb_version")
                : null;
        return Optional.ofNullable(cockroach)
                .map(says -> says.startsWith("CockroachDB") ? says : "CockroachDB " + says);
    }
}
