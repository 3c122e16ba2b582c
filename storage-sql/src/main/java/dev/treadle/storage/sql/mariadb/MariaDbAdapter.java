package dev.treadle.storage.sql.mariadb;

import dev.treadle.storage.sql.session.SqlAdapter;
import java.sql.Connection;

/** Portable statements and values for MariaDB (docs/adr/0043-mariadb.md). */
final class MariaDbAdapter implements SqlAdapter {
    @Override
    public String text(String sql) {
        return MariaDbText.of(sql);
    }

    @Override
    public Connection connection(Connection connection) {
        return MariaDbConnection.on(connection);
    }
}
