package dev.treadle.spring.boot;

import dev.treadle.storage.sql.Pooler;
import dev.treadle.storage.sql.SqlStorageSettings;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where jobs are kept.
 *
 * @param schema        Whether Treadle creates and migrates its tables, or only checks them.
 * @param schemaName    The schema of the tables; without one, that of the connections.
 * @param notifications On PostgreSQL, whether to notify other processes of new jobs and to listen to theirs.
 * @param pooler        Whether a pooler such as PgBouncer stands before PostgreSQL.
 * @param portableSql   On PostgreSQL, whether to use the portable statements instead of its own fast ones.
 */
@ConfigurationProperties("treadle.storage")
record TreadleStorageProperties(
        @DefaultValue("migrate") SqlStorageSettings.Schema schema,
        @Nullable String schemaName,
        @DefaultValue("true") boolean notifications,
        @DefaultValue("detect") Pooler pooler,
        @DefaultValue("false") boolean portableSql) {

    SqlStorageSettings settings() {
        return SqlStorageSettings.DEFAULT
                .withSchema(schema)
                .withSchemaName(schemaName)
                .withNotifications(notifications)
                .withPooler(pooler)
                .withPortableSql(portableSql);
    }
}
