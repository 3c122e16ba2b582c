package dev.treadle.storage.sql;

import dev.treadle.storage.sql.connections.SqlConnections;
import dev.treadle.storage.sql.session.GivenTime;
import dev.treadle.storage.sql.session.SchemaName;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What can be set about a SQL storage. Every setting is checked when it is set.
 *
 * @param schema         who creates the tables
 * @param connectionsMax most connections that the storage opens itself, 5 to 200; a DataSource of yours keeps its own limit
 * @param connectionWait how long to wait for a free connection of that pool, 250 ms to 10 min
 * @param notifications  on PostgreSQL, whether to tell other processes of new jobs and to hear of theirs, which keeps one
 *                       connection; without it they are found at the next poll
 * @param pooler         whether a pooler such as PgBouncer stands before PostgreSQL
 * @param schemaName     the schema that the tables are in, in lower case; with {@link Schema#MIGRATE} it is created if it is
 *                       not there. Null: the one that the connections choose
 * @param portableSql    on PostgreSQL, whether to do without its own fast statements; on H2 nothing changes
 * @param time           for tests: what time it is, instead of the database's clock. Null: the database says what time it is
 * @param listenOn       connections that lead to PostgreSQL without a pooler, for hearing of new jobs where the others share
 *                       sessions; a server keeps one of them. Null: the same as for everything else
 */
public record SqlStorageSettings(
        Schema schema,
        int connectionsMax,
        Duration connectionWait,
        boolean notifications,
        Pooler pooler,
        @Nullable DataSource listenOn,
        @Nullable String schemaName,
        boolean portableSql,
        @Nullable InstantSource time) {
    /** Creates and migrates its tables; ten connections; waits 30 s for one; tells and hears of new jobs; looks for a pooler. */
    public static final SqlStorageSettings DEFAULT = new SqlStorageSettings(
            Schema.MIGRATE, 10, Duration.ofSeconds(30), true, Pooler.DETECT, null, null, false, null);

    /** Who creates and changes the tables. */
    public enum Schema {
        /** The storage, when it is opened: missing migrations are applied in their order. */
        MIGRATE,
        /** You; the storage only checks that all migrations are there, and says which are not. */
        VALIDATE
    }

    /** Those that a server sets aside for itself, and two. */
    private static final int CONNECTIONS_MIN = SqlConnections.OWN_MIN;

    /** @throws IllegalArgumentException naming the setting and its range */
    public SqlStorageSettings {
        if (connectionsMax < CONNECTIONS_MIN || connectionsMax > 200) {
            throw new IllegalArgumentException(
                    "SqlStorageSettings.connectionsMax is " + connectionsMax + " and must be " + CONNECTIONS_MIN
                            + " to 200: three are set aside for hearing of new jobs, heartbeats and endings.");
        }
        schemaOf(schemaName);
        if (connectionWait.compareTo(Duration.ofMillis(250)) < 0
                || connectionWait.compareTo(Duration.ofMinutes(10)) > 0) {
            throw new IllegalArgumentException(
                    "SqlStorageSettings.connectionWait is " + connectionWait + " and must be PT0.25S to PT10M.");
        }
    }

    /**
     * The same with the tables in a schema of this name, so that several Treadles can share a database.
     *
     * @param schemaName lower-case letters, digits and underscores, at most 48; null for the schema of the connections
     */
    public SqlStorageSettings withSchemaName(@Nullable String schemaName) {
        return new SqlStorageSettings(
                schema, connectionsMax, connectionWait, notifications, pooler, listenOn, schemaName, portableSql, time);
    }

    /**
     * The same with or without portable statements on PostgreSQL: short transactions of plain statements, as H2 has them. They
     * are several times slower. For databases that speak PostgreSQL's protocol and not all of its SQL, and for tests.
     */
    public SqlStorageSettings withPortableSql(boolean portableSql) {
        return new SqlStorageSettings(
                schema, connectionsMax, connectionWait, notifications, pooler, listenOn, schemaName, portableSql, time);
    }

    /** The same with another answer to who creates the tables. */
    public SqlStorageSettings withSchema(Schema schema) {
        return new SqlStorageSettings(
                schema, connectionsMax, connectionWait, notifications, pooler, listenOn, schemaName, portableSql, time);
    }

    /** The same with another wait for a connection. */
    public SqlStorageSettings withConnectionWait(Duration connectionWait) {
        return new SqlStorageSettings(
                schema, connectionsMax, connectionWait, notifications, pooler, listenOn, schemaName, portableSql, time);
    }

    /** The same with or without telling and hearing of new jobs. */
    public SqlStorageSettings withNotifications(boolean notifications) {
        return new SqlStorageSettings(
                schema, connectionsMax, connectionWait, notifications, pooler, listenOn, schemaName, portableSql, time);
    }

    /** The same with another number of connections. */
    public SqlStorageSettings withConnectionsMax(int connectionsMax) {
        return new SqlStorageSettings(
                schema, connectionsMax, connectionWait, notifications, pooler, listenOn, schemaName, portableSql, time);
    }

    /** The same with another answer to whether a pooler stands before PostgreSQL. */
    public SqlStorageSettings withPooler(Pooler pooler) {
        return new SqlStorageSettings(
                schema, connectionsMax, connectionWait, notifications, pooler, listenOn, schemaName, portableSql, time);
    }

    /**
     * The same with a time that a test moves: every statement is sent with it instead of asking the database for the time. All
     * who use the same tables must be given the same time, so this is for tests in one process.
     */
    public SqlStorageSettings withTime(@Nullable InstantSource time) {
        return new SqlStorageSettings(
                schema, connectionsMax, connectionWait, notifications, pooler, listenOn, schemaName, portableSql, time);
    }

    /** The same with connections of their own for hearing of new jobs. */
    public SqlStorageSettings withListenOn(@Nullable DataSource listenOn) {
        return new SqlStorageSettings(
                schema, connectionsMax, connectionWait, notifications, pooler, listenOn, schemaName, portableSql, time);
    }

    /** @throws IllegalArgumentException if that is no name for a schema */
    private static SchemaName schemaOf(@Nullable String name) {
        return name == null ? SchemaName.OF_CONNECTION : new SchemaName(name);
    }

    SchemaName tables() {
        return schemaOf(schemaName);
    }

    @Nullable
    GivenTime givenTime() {
        return time == null ? null : new GivenTime(time);
    }

    InstantSource clock() {
        return time == null ? Clock.systemUTC() : time;
    }
}
