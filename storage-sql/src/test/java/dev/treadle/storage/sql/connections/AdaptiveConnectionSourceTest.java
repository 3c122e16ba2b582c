package dev.treadle.storage.sql.connections;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.storage.sql.Dialect;
import dev.treadle.storage.sql.EmptyDatabases;
import dev.treadle.storage.sql.session.ConnectionSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AdaptiveConnectionSourceTest {
    private final HikariDataSource pool = EmptyDatabases.of(Dialect.H2);
    private final ConnectionSource many = new PooledConnectionSource(pool, true);
    private final KeptConnection one = new KeptConnection(many, many);
    private final AtomicInteger closings = new AtomicInteger();
    private final AtomicLong nanos = new AtomicLong();
    private final AdaptiveConnectionSource lender =
            new AdaptiveConnectionSource(one, many, closings::incrementAndGet, nanos::get);

    @BeforeEach
    void keep() {
        one.keep();
    }

    @AfterEach
    void close() {
        one.letGo();
        pool.close();
    }

    @Test
    void what_opening_the_database_took_of_the_pool_is_closed_after_the_first_quiet_second() throws Exception {
        call();
        assertEquals(0, closings.get());

        later(Duration.ofMillis(1_001));
        call();
        assertEquals(1, closings.get());
    }

    @Test
    void what_the_pool_lent_is_closed_once_it_was_not_needed_for_a_while() throws Exception {
        later(Duration.ofMillis(1_001));
        call();

        // a database that is slow for everybody: one call waits behind another each second
        for (int second = 0; second < 60; second++) {
            callTwiceAtOnce();
            later(Duration.ofMillis(1_001));
        }
        assertEquals(1, closings.get(), "closed and opened again while it was needed");

        later(Duration.ofNanos(AdaptiveConnectionSource.KEEP_NANOS));
        call();
        assertEquals(2, closings.get());
        later(Duration.ofMinutes(1));
        call();
        assertEquals(2, closings.get(), "nothing was open any more");
    }

    private void callTwiceAtOnce() throws Exception {
        try (ConnectionSource.Loan held = lender.lend()) {
            Thread other = new Thread(() -> assertDoesNotThrow(this::call));
            other.start();
            other.join();
            assertFalse(held.connection().isClosed());
        }
    }

    private void later(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private void call() throws SQLException {
        lender.lend().close();
    }
}
