package dev.treadle.storage.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.Treadle;
import dev.treadle.contracts.GrantedTime;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.RunNotes;
import dev.treadle.job.StateName;
import dev.treadle.server.JobServerSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A job that waits for the database, cancelled from a process that runs no jobs; and the other things that span nodes. */
@Timeout(60)
class CancelOnPostgresTest {
    /** Held by the test for as long as jobs shall wait. */
    private static final int LOCK = 42;

    private final HikariDataSource database = EmptyDatabases.of(Dialect.POSTGRESQL);
    private final CountDownLatch runs = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private Connection holder;
    private final Treadle server = Treadle.on(SqlStorageProvider.using(database))
            .settings(JobServerSettings.DEFAULT.withWorkers(2))
            .resultHandler(Ask.class, this::ask)
            .start();
    private final Treadle other = Treadle.on(SqlStorageProvider.using(database)).enqueueOnly();

    /** Asks the database for what it does not give. */
    record Ask(boolean endsOnStop) implements JobRequest<String> {}

    @SuppressWarnings("try") // the watch is only closed
    private @Nullable String ask(Ask task, JobContext job) throws Exception {
        job.progress(1, 3);
        job.log("asks");
        job.meta("lock", "" + LOCK);
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                JobContext.Watch watch = task.endsOnStop ? job.onStop(statement::cancel) : () -> {}) {
            runs.countDown();
            statement.execute("select pg_advisory_xact_lock(" + LOCK + ")");
            return "waited";
        } finally {
            ended.countDown();
        }
    }

    @BeforeEach
    void hold() throws SQLException {
        holder = database.getConnection();
        execute("select pg_advisory_lock(" + LOCK + ")");
    }

    private void untilItWaits() throws InterruptedException {
        runs.await();
        // not before: a statement that has not begun cannot be given up
        OpenTransaction.untilSomeoneWaits(database);
    }

    private void letGo() throws SQLException {
        execute("select pg_advisory_unlock_all()");
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = holder.createStatement()) {
            statement.execute(sql);
        }
    }

    @AfterEach
    void close() throws SQLException {
        letGo();
        holder.close();
        other.close();
        server.close();
        database.close();
    }

    @Test
    void a_statement_that_the_job_gave_up_on_stop_ends_within_a_second() throws Exception {
        JobId id = other.jobs().enqueue(new Ask(true));
        untilItWaits();
        try (GrantedTime time = GrantedTime.begin()) {
            other.jobs().cancel(id, "anna", null);

            assertTrue(ended.await(30, TimeUnit.SECONDS));
            long millis = time.passed().toMillis();
            assertTrue(millis < 1_000, () -> "it ended after " + millis + " ms");
        }
        until("it is not shown any more", () -> other.jobs().stillRunning().isEmpty());
    }

    @Test
    void a_statement_that_nobody_gives_up_ignores_the_interrupt_and_is_shown_until_it_ends() throws Exception {
        JobId id = other.jobs().enqueue(new Ask(false));
        untilItWaits();

        other.jobs().cancel(id, "anna", null);
        until(
                "it is shown for a second",
                () -> other.jobs().stillRunning().stream()
                        .anyMatch(run -> run.since().toMillis() > 1_000));
        assertFalse(ended.await(0, TimeUnit.SECONDS), "the driver does not look at interrupts");
        assertEquals(
                server.server().orElseThrow().self().id(),
                other.jobs().stillRunning().get(0).node());

        letGo();
        assertTrue(ended.await(30, TimeUnit.SECONDS));
        until("it is not shown any more", () -> other.jobs().stillRunning().isEmpty());
        assertEquals(
                StateName.CANCELLED,
                other.jobs().find(id).orElseThrow().job().state().name());
    }

    @Test
    void what_a_job_tells_and_returns_is_seen_by_a_process_that_runs_no_jobs() throws Exception {
        JobId id = other.jobs().enqueue(new Ask(false));
        // the first thing told is written at once, the others half a second later
        until(
                "all it told is there",
                () -> other.jobs()
                        .notes(id)
                        .filter(told -> told.meta().containsKey("lock"))
                        .isPresent());
        RunNotes notes = other.jobs().notes(id).orElseThrow();
        assertEquals(1L, notes.done());
        assertEquals("" + LOCK, notes.meta().get("lock"));
        assertEquals("asks", notes.log().get(0).text());

        letGo();
        assertEquals(Optional.of("waited"), other.jobs().await(id, String.class, Duration.ofSeconds(30)));
    }

    private static void until(String what, BooleanSupplier holds) {
        long start = System.nanoTime();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(30)) {
                throw new AssertionError("waited in vain until " + what);
            }
            LockSupport.parkNanos(5_000_000);
        }
    }
}
