package dev.treadle.storage.sql.postgresql;

import dev.treadle.storage.sql.session.SchemaName;
import dev.treadle.storage.sql.session.SqlSyntax;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** PostgreSQL's own texts. */
public final class PostgresSyntax {
    private PostgresSyntax() {}

    public static SqlSyntax of(SchemaName schema, String channel) {
        return new SqlSyntax(List.of("postgresql", "portable"), Map.of("channel", channel), schema);
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
