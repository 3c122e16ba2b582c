package dev.treadle.storage.sql.postgresql;

import dev.treadle.storage.sql.session.SchemaName;
import dev.treadle.storage.sql.session.SqlSyntax;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** Where the texts for PostgreSQL come from. */
public final class PostgresSyntax {
    private PostgresSyntax() {}

    private static Map<String, String> fragments(String channel) {
        return Map.of(
                "channel",
                channel,
                "skip_locked",
                " for update skip locked",
                "skip_locked_leases",
                " for update of l skip locked",
                "cause",
                "error_cause");
    }

    public static SqlSyntax of(SchemaName schema, String channel) {
        return new SqlSyntax(List.of("postgresql", "portable"), fragments(channel), schema);
    }

    /**
     * For the portable statements: the portable texts come first, those in {@code plain} are the few that have to be written
     * in PostgreSQL's way, and its fast ones serve where a text of them takes the same parameters.
     */
    public static SqlSyntax portable(SchemaName schema, String channel) {
        return new SqlSyntax(List.of("postgresql/plain", "portable", "postgresql"), fragments(channel), schema);
    }

    /**
     * The channel of notifications. PostgreSQL has one set of channels for all schemas of a database, so the schema is part
     * of the name.
     */
    public static String channel(Connection connection, SchemaName schema) throws SQLException {
        String name = schema.name() == null ? connection.getSchema() : schema.name();
        return name == null || name.equals("public") ? "treadle_due" : "treadle_due_" + name.replaceAll("\\W", "_");
    }
}
