package dev.treadle.storage.sql.connections;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.storage.sql.Dialect;
import dev.treadle.storage.sql.EmptyDatabases;
import dev.treadle.storage.sql.session.ConnectionSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AdaptiveConnectionSourceTest {
    private final HikariDataSource pool = EmptyDatabases.of(Dialect.H2);
    private final AtomicInteger closings = new AtomicInteger();

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void what_opening_the_database_took_of_the_pool_is_closed_after_the_first_quiet_second() {
        ConnectionSource many = new PooledConnectionSource(pool, true);
        KeptConnection one = new KeptConnection(many, many);
        one.keep();
        AdaptiveConnectionSource lender = new AdaptiveConnectionSource(one, many, closings::incrementAndGet);

        // before the first of those that come every 30 s
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
            call(lender);
            return closings.get() == 1;
        });
        one.letGo();
    }

    private static void call(ConnectionSource lender) throws SQLException {
        lender.lend().close();
    }
}
