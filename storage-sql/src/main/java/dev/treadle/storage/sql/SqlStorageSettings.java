package dev.treadle.storage.sql;

import java.time.Duration;

/**
 * What can be set about a SQL storage. Every setting is checked when it is set.
 *
 * @param schema         who creates the tables
 * @param connectionsMax most connections of the pool that the storage opens itself, 3 to 200; a DataSource of yours
 *                       keeps its own limit
 * @param connectionWait how long to wait for a free connection of that pool, 250 ms to 10 min
 * @param notifications  on PostgreSQL, whether to tell other processes of new jobs and to hear of theirs, which keeps one
 *                       connection; without it they are found at the next poll
 */
public record SqlStorageSettings(Schema schema, int connectionsMax, Duration connectionWait, boolean notifications) {
    /** Creates and migrates its tables; ten connections; waits 30 s for one; tells and hears of new jobs. */
    public static final SqlStorageSettings DEFAULT =
            new SqlStorageSettings(Schema.MIGRATE, 10, Duration.ofSeconds(30), true);

    /** Who creates and changes the tables. */
    public enum Schema {
        /** The storage, when it is opened: missing migrations are applied in their order. */
        MIGRATE,
        /** You; the storage only checks that all migrations are there, and says which are not. */
        VALIDATE
    }

    /** @throws IllegalArgumentException naming the setting and its range */
    public SqlStorageSettings {
        if (connectionsMax < 3 || connectionsMax > 200) {
            throw new IllegalArgumentException(
                    "SqlStorageSettings.connectionsMax is " + connectionsMax + " and must be 3 to 200.");
        }
        if (connectionWait.compareTo(Duration.ofMillis(250)) < 0
                || connectionWait.compareTo(Duration.ofMinutes(10)) > 0) {
            throw new IllegalArgumentException(
                    "SqlStorageSettings.connectionWait is " + connectionWait + " and must be PT0.25S to PT10M.");
        }
    }

    /** The same with another answer to who creates the tables. */
    public SqlStorageSettings withSchema(Schema schema) {
        return new SqlStorageSettings(schema, connectionsMax, connectionWait, notifications);
    }

    /** The same with another wait for a connection. */
    public SqlStorageSettings withConnectionWait(Duration connectionWait) {
        return new SqlStorageSettings(schema, connectionsMax, connectionWait, notifications);
    }

    /** The same with or without telling and hearing of new jobs. */
    public SqlStorageSettings withNotifications(boolean notifications) {
        return new SqlStorageSettings(schema, connectionsMax, connectionWait, notifications);
    }

    /** The same with another number of connections. */
    public SqlStorageSettings withConnectionsMax(int connectionsMax) {
        return new SqlStorageSettings(schema, connectionsMax, connectionWait, notifications);
    }
}
