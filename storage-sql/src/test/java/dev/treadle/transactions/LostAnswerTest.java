package dev.treadle.transactions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.JobId;
import dev.treadle.job.StateName;
import dev.treadle.storage.StorageException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The answer to the commit of a job's own transaction is lost. */
@ParameterizedClass
@EnumSource(WorkDatabase.Kind.class)
class LostAnswerTest {
    private final WorkDatabase work;
    /** Transactions that the server has not ended though their client is gone. */
    private final BlockingQueue<Connection> left = new LinkedBlockingQueue<>();

    private final AtomicInteger commits = new AtomicInteger();
    private volatile Thread running;
    private volatile boolean seen;
    private final List<Throwable> thrown = new CopyOnWriteArrayList<>();

    /** What becomes of a commit that is not answered. */
    private enum Fate {
        COMMITTED,
        ROLLED_BACK,
        /** The server goes on with it after the client has given up. */
        OPEN,
        /** It was rolled back, and the driver throws what no driver should. */
        BROKEN
    }

    LostAnswerTest(WorkDatabase.Kind kind) {
        this.work = new WorkDatabase(kind);
    }

    @AfterEach
    void close() throws SQLException {
        work.close();
    }

    @Test
    void a_commit_that_took_effect_is_found_and_the_code_goes_on() throws Exception {
        JobId id = work.run(job -> {
            Object result = job.transaction(losing(Fate.COMMITTED), connection -> {
                WorkDatabase.effect(connection, 1);
                return "found";
            });
            assertEquals("found", result);
            return "ignored";
        });

        assertEquals(
                "found", work.jobs().await(id, String.class, WorkDatabase.SOON).orElseThrow());
        work.untilIdle();
        assertEquals(1, work.effects());
        assertEquals(1, work.attemptsOf(id));
        assertEquals(1, work.succeededHere());
    }

    @Test
    void one_that_was_rolled_back_is_found_and_the_job_runs_again() throws Exception {
        JobId id = work.run(job -> job.transaction(losing(Fate.ROLLED_BACK), connection -> {
            WorkDatabase.effect(connection, 1);
            return "again";
        }));

        assertEquals(
                "again", work.jobs().await(id, String.class, WorkDatabase.SOON).orElseThrow());
        assertEquals(1, work.effects());
        assertEquals(2, work.attemptsOf(id));
    }

    @Test
    void code_that_hears_of_a_rollback_may_do_it_again_in_the_same_run() throws Exception {
        JobId id = work.run(job -> {
            StorageException lost = assertThrows(
                    StorageException.class,
                    () -> job.transaction(losing(Fate.ROLLED_BACK), connection -> WorkDatabase.effect(connection, 1)));
            assertTrue(String.valueOf(lost.getMessage()).contains("rolled back"), lost::toString);
            return job.transaction(work.database(), connection -> WorkDatabase.effect(connection, 1));
        });

        work.untilEnded(id, StateName.SUCCEEDED);
        assertEquals(1, work.effects());
        assertEquals(1, work.attemptsOf(id));
    }

    @Test
    void while_it_is_not_known_the_attempt_is_no_success_though_its_code_says_so_and_a_late_commit_counts()
            throws Exception {
        endLate(Connection::commit);

        assertEquals(1, commits.get(), "it did not run again");
    }

    @Test
    void while_it_is_not_known_the_attempt_is_no_success_though_its_code_says_so_and_a_late_rollback_repeats_it()
            throws Exception {
        endLate(Connection::rollback);

        assertEquals(2, commits.get(), "it ran again");
    }

    private interface End {
        void of(Connection connection) throws SQLException;
    }

    /** Ends the transaction after the attempt has returned; in the end, the job has succeeded with one effect. */
    private void endLate(End end) throws Exception {
        JobId id = swallowing();

        try (Connection open = left.poll(WorkDatabase.SOON.toSeconds(), TimeUnit.SECONDS)) {
            untilThrown(2);
            end.of(open);
        }

        work.untilEnded(id, StateName.SUCCEEDED);
        work.untilIdle();
        assertEquals(1, work.effects());
    }

    @Test
    void a_driver_that_breaks_in_the_commit_makes_no_success() throws Exception {
        JobId id = work.run(job -> {
            try {
                job.transaction(losing(Fate.BROKEN), connection -> WorkDatabase.effect(connection, 1));
            } catch (IllegalStateException e) {
                thrown.add(e);
            }
            return "as if all was well";
        });

        work.untilEnded(id, StateName.SUCCEEDED);
        assertEquals("the driver is broken", thrown.get(0).getMessage());
        assertEquals(2, work.attemptsOf(id));
        assertEquals(1, work.effects());
    }

    /** A job that goes on as if nothing had happened, when its first commit is open and it was interrupted. */
    private JobId swallowing() {
        return work.run(job -> {
            running = Thread.currentThread();
            try {
                job.transaction(losing(Fate.OPEN), connection -> WorkDatabase.effect(connection, 1));
            } catch (StorageException e) {
                thrown.add(e);
                thrown.add(assertThrows(
                        IllegalStateException.class,
                        () -> job.transaction(connection -> WorkDatabase.effect(connection, 2))));
                // until no interrupt of the test can come any more
                while (!seen) {
                    Thread.onSpinWait();
                }
                Thread.interrupted();
            }
            return "as if all was well";
        });
    }

    /** Interrupts the run while it looks what became of its commit: it ends the looking. */
    private void untilThrown(int count) {
        Awaitility.await().atMost(Duration.ofSeconds(90)).until(() -> {
            if (thrown.size() < count) {
                running.interrupt();
            }
            return thrown.size() >= count;
        });
        seen = true;
        assertInstanceOf(IllegalStateException.class, thrown.get(1));
        assertTrue(String.valueOf(thrown.get(1).getMessage()).contains("It is not known"), thrown::toString);
    }

    /** The application's pool, whose first commit is not answered. */
    private DataSource losing(Fate fate) {
        return (DataSource) Proxy.newProxyInstance(
                LostAnswerTest.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, args) -> {
                    Object answer = invoke(work.database(), method, args);
                    return answer instanceof Connection connection && commits.get() == 0
                            ? losing(connection, fate)
                            : counting(answer);
                });
    }

    private Object counting(Object answer) {
        commits.incrementAndGet();
        return answer;
    }

    private Connection losing(Connection real, Fate fate) {
        boolean[] lost = new boolean[1];
        return (Connection) Proxy.newProxyInstance(
                LostAnswerTest.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, args) -> {
                    if (lost[0]) {
                        if (method.getName().equals("close") || method.getName().equals("abort")) {
                            return null;
                        }
                        if (fate == Fate.BROKEN) {
                            throw new IllegalStateException("the driver is broken");
                        }
                        throw new SQLException("The connection is gone.", "08003");
                    }
                    if (!method.getName().equals("commit")) {
                        return invoke(real, method, args);
                    }
                    lost[0] = true;
                    commits.incrementAndGet();
                    switch (fate) {
                        case COMMITTED -> real.commit();
                        case ROLLED_BACK, BROKEN -> real.rollback();
                        case OPEN -> left.add(real);
                    }
                    if (fate != Fate.OPEN) {
                        real.close();
                    }
                    throw new SQLException("The answer is lost.", "08006");
                });
    }

    private static Object invoke(Object on, Method method, Object[] args) throws Throwable {
        try {
            return method.invoke(on, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
