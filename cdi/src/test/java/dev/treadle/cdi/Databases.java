package dev.treadle.cdi;

import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;

/** The databases of the tests. */
final class Databases {
    private Databases() {}

    static String newUrl() {
        return "jdbc:h2:mem:t" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    }

    static DataSource pool(String url) {
        return JdbcConnectionPool.create(url, "sa", "");
    }
}
