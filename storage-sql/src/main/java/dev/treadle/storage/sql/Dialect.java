package dev.treadle.storage.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.function.Function;

/** The databases that Treadle speaks, and what differs between them beside their SQL files. */
public enum Dialect {
    /** PostgreSQL 14 or later. */
    POSTGRESQL(PostgresVerbs::new),
    /** H2 2.2 or later, embedded. */
    H2(H2Verbs::new);

    private final Function<LaneIds, Verbs> verbs;

    Dialect(Function<LaneIds, Verbs> verbs) {
        this.verbs = verbs;
    }

    /** The verbs of one storage. */
    Verbs newVerbs(LaneIds lanes) {
        return verbs.apply(lanes);
    }

    /** The folder that holds this dialect's SQL. */
    String folder() {
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
