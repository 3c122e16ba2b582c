package dev.treadle.storage.sql.h2;

import dev.treadle.storage.sql.session.SchemaName;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Keeps the tokens of leases on H2 from being given twice. */
public final class H2Tokens {
    /** More numbers than H2 hands out from memory before it writes down how far it has come. */
    static final int SKIPPED = 1_000;

    private H2Tokens() {}

    /**
     * Leaves out the next numbers. Numbers of the process before may have been given, and their leases committed, while the
     * note of how far the sequence had come was lost in a crash. A job under such a number again could not be ended: its
     * history has that number already.
     */
    public static void skip(Connection connection, SchemaName schema) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(schema.qualified(
                    "alter sequence treadle_token restart with (next value for treadle_token + " + SKIPPED + ")"));
        }
    }
}
