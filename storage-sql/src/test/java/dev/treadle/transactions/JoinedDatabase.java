package dev.treadle.transactions;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.storage.sql.Dialect;
import dev.treadle.storage.sql.EmptyDatabases;
import dev.treadle.storage.sql.SqlStorageProvider;
import dev.treadle.storage.sql.SqlStorageSettings;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.sql.DataSource;

/** The databases in whose transactions jobs are enqueued. */
enum JoinedDatabase {
    H2(Dialect.H2, SqlStorageSettings.DEFAULT),
    POSTGRESQL(Dialect.POSTGRESQL, SqlStorageSettings.DEFAULT),
    POSTGRESQL_PORTABLE(Dialect.POSTGRESQL, SqlStorageSettings.DEFAULT.withPortableSql(true)),
    /** At REPEATABLE READ, as applications have it that set nothing. */
    MARIADB(Dialect.MARIADB, SqlStorageSettings.DEFAULT);

    /** The numbers of lanes are given for good, whatever becomes of a transaction. */
    private static final Set<String> LEFT_OUT = Set.of("treadle_lane");

    private final Dialect dialect;
    private final SqlStorageSettings settings;

    JoinedDatabase(Dialect dialect, SqlStorageSettings settings) {
        this.dialect = dialect;
        this.settings = settings;
    }

    boolean isPostgres() {
        return dialect == Dialect.POSTGRESQL;
    }

    /** An empty database with a table of the application. */
    HikariDataSource open() {
        HikariDataSource database = EmptyDatabases.of(dialect);
        EmptyDatabases.execute(database, "create table orders (id int primary key)");
        return database;
    }

    SqlStorageProvider storage(DataSource database) {
        return SqlStorageProvider.using(database, settings);
    }

    /** All rows of all tables, as anybody sees them. */
    static SortedMap<String, List<String>> rows(DataSource database) throws SQLException {
        SortedMap<String, List<String>> rows = new TreeMap<>();
        try (Connection connection = database.getConnection()) {
            for (String table : tables(connection)) {
                rows.put(table, rows(connection, table));
            }
        }
        return rows;
    }

    private static List<String> tables(Connection connection) throws SQLException {
        List<String> tables = new ArrayList<>();
        try (ResultSet all =
                connection.getMetaData().getTables(connection.getCatalog(), connection.getSchema(), "%", null)) {
            while (all.next()) {
                String name = all.getString("TABLE_NAME").toLowerCase(Locale.ROOT);
                boolean isTable = all.getString("TABLE_TYPE").contains("TABLE");
                if (isTable && (name.startsWith("treadle_") || name.equals("orders")) && !LEFT_OUT.contains(name)) {
                    tables.add(name);
                }
            }
        }
        if (tables.size() < 10) {
            throw new IllegalStateException("only " + tables);
        }
        return tables;
    }

    private static List<String> rows(Connection connection, String table) throws SQLException {
        List<String> found = new ArrayList<>();
        try (Statement select = connection.createStatement();
                ResultSet rows = select.executeQuery("select * from " + table)) {
            while (rows.next()) {
                StringBuilder row = new StringBuilder();
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                    row.append(rows.getString(i)).append(" | ");
                }
                found.add(row.toString());
            }
        }
        found.sort(null);
        return found;
    }

    /** Puts a row of the application. */
    static void order(Connection connection, int id) {
        try (Statement insert = connection.createStatement()) {
            insert.execute("insert into orders values (" + id + ")");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    static int number(DataSource database, String sql) {
        try (Connection connection = database.getConnection();
                Statement select = connection.createStatement();
                ResultSet row = select.executeQuery(sql)) {
            row.next();
            return row.getInt(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A connection with a transaction under way. */
    static Connection begin(DataSource database) {
        try {
            Connection connection = database.getConnection();
            connection.setAutoCommit(false);
            return connection;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Ends a transaction, and gives its connection back. */
    static void end(Connection connection, boolean commit) {
        try (connection) {
            if (commit) {
                connection.commit();
            } else {
                connection.rollback();
            }
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
