package dev.treadle.storage.sql;

import dev.treadle.storage.StorageException;
import dev.treadle.storage.sql.connections.DirectConnections;
import dev.treadle.storage.sql.connections.PooledConnectionSource;
import dev.treadle.storage.sql.connections.SqlConnections;
import dev.treadle.storage.sql.h2.H2Migrations;
import dev.treadle.storage.sql.h2.H2Syntax;
import dev.treadle.storage.sql.h2.H2Tokens;
import dev.treadle.storage.sql.mariadb.MariaDbMigrations;
import dev.treadle.storage.sql.mariadb.MariaDbSession;
import dev.treadle.storage.sql.mariadb.MariaDbStatements;
import dev.treadle.storage.sql.mariadb.MariaDbSyntax;
import dev.treadle.storage.sql.migrations.Migrations;
import dev.treadle.storage.sql.portable.DialectStatements;
import dev.treadle.storage.sql.portable.Notifier;
import dev.treadle.storage.sql.portable.PortableStatements;
import dev.treadle.storage.sql.postgresql.PostgresLimits;
import dev.treadle.storage.sql.postgresql.PostgresMigrations;
import dev.treadle.storage.sql.postgresql.PostgresNotifier;
import dev.treadle.storage.sql.postgresql.PostgresSession;
import dev.treadle.storage.sql.postgresql.PostgresStatements;
import dev.treadle.storage.sql.postgresql.PostgresSyntax;
import dev.treadle.storage.sql.postgresql.PostgresVersion;
import dev.treadle.storage.sql.rows.LaneIds;
import dev.treadle.storage.sql.session.ConnectionSource;
import dev.treadle.storage.sql.session.OwnTransactions;
import dev.treadle.storage.sql.session.SchemaName;
import dev.treadle.storage.sql.session.SqlSyntax;
import dev.treadle.storage.sql.session.StatementTexts;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What was found out about a database when a storage was opened on it, with its tables as they must be.
 *
 * @param warnings what is dangerous, one sentence each with its remedy
 * @param terms    what calls have to set by themselves
 * @param hearing  lends the connection that hears of new jobs; null where none can
 * @param channel  on which notifications of this schema go
 * @param syntax   how its statements are put together
 */
record OpenedDatabase(
        Dialect dialect,
        String description,
        List<String> warnings,
        OwnTransactions.Terms terms,
        @Nullable ConnectionSource hearing,
        String channel,
        SqlSyntax syntax) {

    /**
     * Looks, and makes the tables or checks them.
     *
     * @throws IllegalArgumentException if jobs cannot be kept there
     */
    static OpenedDatabase look(Connection connection, SqlConnections connections, SqlStorageSettings settings)
            throws SQLException {
        Dialect dialect = Dialect.of(connection);
        boolean postgres = dialect == Dialect.POSTGRESQL;
        List<String> warnings = new ArrayList<>(connections.warnings());
        if (postgres) {
            warnings.addAll(PostgresVersion.warnings(connection, settings.portableSql()));
        }
        boolean shared = postgres && isShared(connection, settings.pooler());
        if (postgres && settings.pooler() == Pooler.SESSION) {
            StartCheck.mustNotShare(connection, connections.others());
        }
        warnings.addAll(
                StartCheck.warnings(dialect, connection, new StartCheck.SessionFacts(shared, connections.areOurs())));
        ConnectionSource hearing =
                postgres && settings.notifications() ? hearing(shared, connections, settings, warnings) : null;
        Migrations migrations = migrations(dialect, settings.tables());
        switch (settings.schema()) {
            case MIGRATE -> migrations.apply(connection, connections.others());
            case VALIDATE -> migrations.validate(connection);
        }
        if (dialect == Dialect.H2 && settings.schema() == SqlStorageSettings.Schema.MIGRATE) {
            H2Tokens.skip(connection, settings.tables());
        }
        String channel = postgres ? PostgresSyntax.channel(connection, settings.tables()) : "";
        return new OpenedDatabase(
                dialect,
                describe(connection),
                List.copyOf(warnings),
                terms(dialect, connection),
                hearing,
                channel,
                syntax(dialect, settings, channel));
    }

    /**
     * Opens a pool of the storage's own.
     *
     * @throws IllegalArgumentException if the JDBC driver is missing
     * @throws StorageException         if the database does not answer
     */
    static SqlConnections connect(
            String jdbcUrl, @Nullable String user, @Nullable String password, SqlStorageSettings settings) {
        try {
            DirectConnections direct =
                    new DirectConnections(jdbcUrl, user, password, connection -> setUp(connection, settings.pooler()));
            return SqlConnections.open(direct, settings.connectionsMax(), settings.connectionWait());
        } catch (IllegalArgumentException e) {
            // says by itself what is missing
            throw e;
        } catch (SQLException | RuntimeException e) {
            throw new StorageException(
                    "Cannot connect to " + DirectConnections.withoutParameters(jdbcUrl) + ": " + e.getMessage()
                            + ". Is the database up, and are the URL, user and password right?",
                    e,
                    true);
        }
    }

    /**
     * What tells processes of new jobs; {@link Notifier#NONE} where nothing can.
     *
     * @param verbs told of transactions that others committed long after they began
     */
    Notifier notifier(SqlConnections connections, StatementTexts statements, LaneIds lanes, DialectStatements verbs) {
        return hearing == null
                ? Notifier.NONE
                : new PostgresNotifier(
                        connections.forAll(),
                        hearing,
                        statements,
                        lanes,
                        new PostgresNotifier.Way(channel, verbs.areSingleStatements(), verbs::committedLate));
    }

    private static @Nullable ConnectionSource hearing(
            boolean shared, SqlConnections connections, SqlStorageSettings settings, List<String> warnings) {
        DataSource listenOn = settings.listenOn();
        if (listenOn != null) {
            return new PooledConnectionSource(listenOn, false);
        }
        if (!shared) {
            return connections.forHearing();
        }
        warnings.add(
                "A pooler shares PostgreSQL's sessions among connections, so LISTEN does not work there: new jobs of"
                        + " other processes are found by polling. Give SqlStorageSettings.withListenOn a DataSource that leads past"
                        + " the pooler, or switch this off with withNotifications(false).");
        return null;
    }

    private static OwnTransactions.Terms terms(Dialect dialect, Connection connection) throws SQLException {
        boolean limited = dialect != Dialect.POSTGRESQL
                || PostgresLimits.lackingIn(connection).isEmpty();
        return new OwnTransactions.Terms(
                !StartCheck.isReadCommitted(connection), limited ? null : PostgresLimits.FOR_TRANSACTION);
    }

    static Migrations migrations(Dialect dialect, SchemaName schema) {
        return switch (dialect) {
            case POSTGRESQL -> new PostgresMigrations(schema);
            case H2 -> new H2Migrations(schema);
            case MARIADB -> new MariaDbMigrations(schema);
        };
    }

    /** The verbs in the way of the database, or in the portable one. */
    DialectStatements verbs(LaneIds lanes, SqlStorageSettings settings) {
        return switch (dialect) {
            case POSTGRESQL -> settings.portableSql() ? new PortableStatements(lanes) : new PostgresStatements(lanes);
            case H2 -> new PortableStatements(lanes);
            case MARIADB -> new MariaDbStatements(lanes);
        };
    }

    /** What each connection to a server is told that the storage opens itself. */
    static void setUp(Connection connection, Pooler pooler) throws SQLException {
        if (Dialect.of(connection) == Dialect.MARIADB) {
            MariaDbSession.setUp(connection);
        } else {
            PostgresSession.setUp(connection, isShared(connection, pooler));
        }
    }

    /** Whether other connections, of this and other applications, use the same session of the server in turn. */
    private static boolean isShared(Connection connection, Pooler pooler) throws SQLException {
        return switch (pooler) {
            case DETECT -> PostgresSession.isBehindPooler(connection);
            case SESSION -> false;
            case TRANSACTION -> true;
        };
    }

    static SqlSyntax syntax(Dialect dialect, SqlStorageSettings settings, String channel) {
        SchemaName schema = settings.tables();
        return switch (dialect) {
            case H2 -> H2Syntax.of(schema);
            case MARIADB -> MariaDbSyntax.of(schema);
            case POSTGRESQL ->
                settings.portableSql() ? PostgresSyntax.portable(schema, channel) : PostgresSyntax.of(schema, channel);
        };
    }

    private static String describe(Connection connection) throws SQLException {
        var about = connection.getMetaData();
        return about.getDatabaseProductName() + " " + about.getDatabaseProductVersion() + " at "
                + DirectConnections.withoutParameters(about.getURL());
    }
}
