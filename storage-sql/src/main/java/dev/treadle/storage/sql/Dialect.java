package dev.treadle.storage.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;

/** The databases that Treadle speaks, and what differs between them beside their SQL files. */
public enum Dialect {
    /** PostgreSQL 14 or later. */
    POSTGRESQL,
    /** H2 2.2 or later, embedded. */
    H2;

    /** The folder that holds this dialect's SQL. */
    public String folder() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Dialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return switch (product) {
            case "PostgreSQL" -> POSTGRESQL;
            case "H2" -> H2;
            default ->
                throw new IllegalArgumentException("Treadle does not know the database '" + product
                        + "'. It knows PostgreSQL and H2: use a DataSource of one of them.");
        };
    }
}
