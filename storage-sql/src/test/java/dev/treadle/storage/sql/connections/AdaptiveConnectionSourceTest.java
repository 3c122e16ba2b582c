package dev.treadle.storage.sql.connections;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertFalse;

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
        untilClosed(lender, 1);
        one.letGo();
    }

    @Test
    void what_the_pool_lent_while_it_was_quiet_is_closed_after_the_next_quiet_second() throws Exception {
        ConnectionSource many = new PooledConnectionSource(pool, true);
        KeptConnection one = new KeptConnection(many, many);
        one.keep();
        AdaptiveConnectionSource lender = new AdaptiveConnectionSource(one, many, closings::incrementAndGet);
        untilClosed(lender, 1);

        try (ConnectionSource.Loan held = lender.lend()) {
            Thread other = new Thread(() -> assertDoesNotThrow(() -> call(lender)));
            other.start();
            other.join();
            assertFalse(held.connection().isClosed());
        }

        // again before the next of those that come every 30 s
        untilClosed(lender, 2);
        one.letGo();
    }

    private void untilClosed(ConnectionSource lender, int times) {
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
            call(lender);
            return closings.get() == times;
        });
    }

    private static void call(ConnectionSource lender) throws SQLException {
        lender.lend().close();
    }
}
