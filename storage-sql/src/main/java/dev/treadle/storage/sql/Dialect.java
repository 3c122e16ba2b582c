package dev.treadle.storage.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;

/** The databases that Treadle speaks, and what differs between them beside their SQL files. */
public enum Dialect {
    /** PostgreSQL 14 or later. */
    POSTGRESQL,
    /** H2 2.2 or later, embedded. */
    H2,
    /** MariaDB 10.6 or later. */
    MARIADB;

    /** The folder that holds this dialect's SQL. */
    public String folder() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Dialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return switch (product) {
            case "PostgreSQL" -> POSTGRESQL;
            case "H2" -> H2;
            case "MariaDB" -> MARIADB;
            case "MySQL" ->
                throw new IllegalArgumentException(
                        "This is MySQL, or a MariaDB behind MySQL's driver, and Treadle knows"
                                + " neither: it needs the sequences and RETURNING of MariaDB. Use MariaDB 10.6 or later with its own"
                                + " driver (org.mariadb.jdbc:mariadb-java-client, jdbc:mariadb:…), PostgreSQL or H2.");
            default ->
                throw new IllegalArgumentException("Treadle does not know the database '" + product
                        + "'. It knows PostgreSQL, MariaDB and H2: use a DataSource of one of them.");
        };
    }
}
