package dev.treadle.cdi;

import dev.treadle.Treadle;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.sql.SqlStorageSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the properties of an application say. They have the names of those of the starter for Spring Boot.
 *
 * @param properties those of the application
 */
record Settings(ApplicationProperties properties) {
    private static final String SERVER = "treadle.server.";
    private static final String STORAGE = "treadle.storage.";

    /** False if this application only enqueues. */
    boolean hasServer() {
        return properties.flag(SERVER + "enabled", true);
    }

    SqlStorageSettings storage() {
        SqlStorageSettings settings = SqlStorageSettings.DEFAULT;
        SqlStorageSettings.Schema schema = properties.choice(STORAGE + "schema", SqlStorageSettings.Schema.class);
        if (schema != null) {
            settings = settings.withSchema(schema);
        }
        Integer connections = properties.number(STORAGE + "connections");
        if (connections != null) {
            settings = settings.withConnectionsMax(connections);
        }
        return settings.withSchemaName(properties.text(STORAGE + "schema-name"));
    }

    void applyTo(Treadle.Builder builder) {
        JobServerSettings settings = JobServerSettings.DEFAULT;
        Integer workers = properties.number(SERVER + "workers");
        if (workers != null) {
            settings = settings.withWorkers(workers);
        }
        String name = properties.text(SERVER + "name");
        if (name != null) {
            settings = settings.withName(name);
        }
        Duration patience = properties.duration(SERVER + "stop-patience");
        if (patience != null) {
            settings = settings.withStopPatience(patience);
        }
        builder.settings(settings);
        @Nullable String executor = properties.text(SERVER + "executor");
        if (executor != null) {
            builder.executor(executor);
        }
    }
}
