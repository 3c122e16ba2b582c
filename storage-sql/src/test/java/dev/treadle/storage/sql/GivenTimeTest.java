package dev.treadle.storage.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.contracts.storage.Jobs;
import dev.treadle.job.NodeId;
import dev.treadle.lifecycle.Lease;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.StorageProvider.Promotion;
import dev.treadle.storage.sql.session.GivenTime;
import dev.treadle.storage.sql.session.SqlStatement;
import dev.treadle.storage.sql.session.StatementTexts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A storage whose time is said by a test. */
@ParameterizedClass
@EnumSource(Dialect.class)
class GivenTimeTest {
    private static final Instant START = Instant.parse("2030-01-01T00:00:00.123456Z");
    private static final Pattern ASKS = Pattern.compile(
            "(?i)\\b(current_timestamp|current_time|current_date|localtimestamp|now\\(|\\w+_timestamp\\(|sysdate)");

    private final AtomicReference<Instant> time = new AtomicReference<>(START);
    private final Dialect dialect;

    GivenTimeTest(Dialect dialect) {
        this.dialect = dialect;
    }

    @Test
    void no_statement_asks_the_database_what_time_it_is() {
        StatementTexts asking = EmptyDatabases.statements(dialect);
        StatementTexts given = new StatementTexts(EmptyDatabases.syntax(dialect), new GivenTime(time::get));
        int asked = 0;
        List<SqlStatement> stillAsking = new ArrayList<>();
        for (SqlStatement statement : SqlStatement.values()) {
            if (EmptyDatabases.syntax(dialect).text(statement).isEmpty()) {
                continue;
            }
            asked += ASKS.matcher(asking.of(statement)).find() ? 1 : 0;
            if (ASKS.matcher(given.of(statement)).find()) {
                stillAsking.add(statement);
            }
        }

        assertTrue(asked > 20, () -> "only few statements ask for the time");
        // judges sessions of the server, which know only the server's time
        assertEquals(dialect == Dialect.POSTGRESQL ? List.of(SqlStatement.END_STUCK_COPIES) : List.of(), stillAsking);
    }

    @Test
    void jobs_become_due_when_the_test_says_that_time_has_passed() {
        try (HikariDataSource database = EmptyDatabases.of(dialect);
                SqlStorageProvider storage =
                        SqlStorageProvider.using(database, SqlStorageSettings.DEFAULT.withTime(time::get))) {
            NewJob job = new Jobs().aJobDueIn(Duration.ofDays(7));
            storage.insert(List.of(job));
            assertEquals(START, storage.recurring().now());
            assertEquals(new Promotion(0, Duration.ofDays(7)), storage.promote(1));

            time.set(START.plus(Duration.ofDays(7)));
            assertEquals(new Promotion(1, null), storage.promote(1));
            Lease lease = storage.claim(new NodeId(1), 1).get(0);

            assertEquals(START, lease.job().createdAt());
            assertEquals(time.get(), lease.job().state().since());
        }
    }

    @Test
    void the_time_stands_in_the_statement_and_without_it_the_database_is_asked() {
        assertFalse(EmptyDatabases.statements(dialect).of(SqlStatement.NOW).contains("timestamp with time zone"));
        assertEquals(
                dialect == Dialect.MARIADB
                        ? "select timestamp '2030-01-01 00:00:00.123456'"
                        : "select timestamp with time zone '2030-01-01 00:00:00.123456+00:00'",
                new StatementTexts(EmptyDatabases.syntax(dialect), new GivenTime(time::get)).of(SqlStatement.NOW));
    }
}
