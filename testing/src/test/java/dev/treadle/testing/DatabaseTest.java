package dev.treadle.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Treadle;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.StateName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs that work in transactions of the storage's database, and faults in them. */
@ParameterizedClass
@EnumSource(value = TestStorage.class, names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
class DatabaseTest {
    private static final Duration LONG = Duration.ofHours(1);

    private final TestStorage storage;
    private final TreadleTest test;
    private final DataSource database;
    private int ran;

    record Book(int amount) implements JobRequest<Void> {}

    record Stepwise(int amount) implements JobRequest<Void> {}

    record Follow(int amount) implements JobRequest<Void> {}

    DatabaseTest(TestStorage storage) {
        this.storage = storage;
        test = storage.test(this::configure);
        database = test.treadle().storage().dataSource().orElseThrow();
    }

    private void configure(Treadle.Builder treadle) {
        treadle.handler(Book.class, (book, job) -> {
                    ran++;
                    job.transaction(connection -> {
                        insert(connection, book.amount());
                        job(connection, book.amount());
                        return null;
                    });
                })
                .handler(Stepwise.class, (stepwise, job) -> {
                    ran++;
                    job.step("book", connection -> {
                        insert(connection, stepwise.amount());
                        return stepwise.amount();
                    });
                    job.step("more", connection -> {
                        insert(connection, stepwise.amount() + 1);
                        return null;
                    });
                })
                .handler(Follow.class, (follow, job) -> {});
    }

    private void job(Connection connection, int amount) {
        test.jobs().in(connection).enqueue(new Follow(amount));
    }

    private static void insert(Connection connection, int amount) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into ledger (amount) values (?)")) {
            insert.setInt(1, amount);
            insert.executeUpdate();
        }
    }

    @BeforeEach
    void make_the_ledger() throws SQLException {
        execute("drop table if exists ledger");
        execute("create table ledger (amount integer not null)");
    }

    @AfterEach
    void close() {
        test.close();
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private List<Integer> ledger() throws SQLException {
        List<Integer> amounts = new ArrayList<>();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select amount from ledger order by amount")) {
            while (rows.next()) {
                amounts.add(rows.getInt(1));
            }
        }
        return amounts;
    }

    @Test
    void a_jobs_own_transaction_is_committed_with_its_success() throws SQLException {
        JobId id = test.jobs().enqueue(new Book(5));

        test.runDueJobs();

        test.assertState(StateName.SUCCEEDED, id);
        assertEquals(List.of(5), ledger());
        test.assertEnqueued(1, Follow.class);
    }

    @Test
    void after_its_commit_a_crash_changes_nothing() throws SQLException {
        JobId id = test.jobs().enqueue(new Book(5));

        test.runTwice(id);
        test.advance(LONG);

        test.assertState(StateName.SUCCEEDED, id);
        assertEquals(1, ran);
        assertEquals(List.of(5), ledger());
    }

    @Test
    void without_a_lease_its_transaction_is_rolled_back() throws SQLException {
        test.inject(Fault.leaseLostBeforeRun().of(Book.class));
        JobId id = test.jobs().enqueue(new Book(5));

        test.drain();
        test.assertState(StateName.SCHEDULED, id);
        assertEquals(List.of(), ledger());
        test.assertEnqueued(0, Follow.class);

        test.advance(LONG);
        test.assertState(StateName.SUCCEEDED, id);
        assertEquals(List.of(5), ledger());
        assertEquals(2, ran);
    }

    @Test
    void a_crash_in_the_transaction_of_a_step_rolls_it_back() throws SQLException {
        test.inject(Fault.crashInStep("book"));
        JobId id = test.jobs().enqueue(new Stepwise(5));

        test.drain();
        assertEquals(List.of(), ledger());
        test.advance(LONG);

        test.assertState(StateName.SUCCEEDED, id);
        assertEquals(List.of(5, 6), ledger());
    }

    @Test
    void after_the_commit_of_a_step_a_crash_does_not_do_it_again() throws SQLException {
        test.inject(Fault.crashAfterStep("book"));
        JobId id = test.jobs().enqueue(new Stepwise(5));

        test.drain();
        assertEquals(List.of(5), ledger());
        test.advance(LONG);

        test.assertState(StateName.SUCCEEDED, id);
        assertEquals(List.of(5, 6), ledger());
        assertEquals(2, ran);
    }

    @Test
    void a_lease_that_is_lost_in_or_after_a_step_does_nothing_twice() throws SQLException {
        test.inject(Fault.leaseLostInStep("book"));
        test.inject(Fault.leaseLostAfterStep("book"));
        JobId id = test.jobs().enqueue(new Stepwise(5));

        test.advance(LONG);

        test.assertState(StateName.SUCCEEDED, id);
        assertEquals(List.of(5, 6), ledger());
        assertEquals(3, ran);
    }

    @Test
    void a_storage_with_a_time_of_its_own_is_refused() {
        String message = assertThrows(
                        IllegalArgumentException.class,
                        () -> TreadleTest.on(time -> storage.with(Clock.systemUTC()), treadle -> {}))
                .getMessage();

        assertTrue(message.contains("SqlStorageSettings.DEFAULT.withTime(time)"), message);
    }
}
