package dev.treadle.jta;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.Treadle;
import dev.treadle.api.JobOptions;
import dev.treadle.api.JobScheduler;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.KeyRule;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.sql.SqlStorageProvider;
import dev.treadle.transaction.TransactionMode;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.Transaction;
import jakarta.transaction.TransactionManager;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Jobs that are enqueued in JTA transactions. */
@ParameterizedClass
@MethodSource("all")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JtaTransactionsTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    @Parameter(0)
    private Managed managed;

    @Parameter(1)
    private Database kind;

    private final Set<String> sent = ConcurrentHashMap.newKeySet();
    private HikariDataSource database;
    private DataSource enlisting;
    private TransactionManager manager;
    private Treadle treadle;

    record SendReceipt(String order) implements JobRequest<Void> {}

    static Stream<Arguments> all() {
        return Stream.of(Managed.values())
                .flatMap(managed -> Stream.of(Database.values()).map(kind -> Arguments.of(managed, kind)));
    }

    @BeforeParameterizedClassInvocation
    void open() {
        String url = kind.newUrl();
        database = Database.pool(url);
        Database.execute(database, "create table orders (id varchar(100) primary key)");
        manager = managed.manager();
        enlisting = managed.enlisting(kind, kind.impatient(url));
        treadle = Treadle.on(SqlStorageProvider.using(database))
                .transactionLink(managed.link())
                .transactionsOf(enlisting)
                .handler(SendReceipt.class, (receipt, job) -> sent.add(receipt.order()))
                .start();
    }

    @AfterParameterizedClassInvocation
    void close() throws Exception {
        treadle.close();
        database.close();
        enlisting.getClass().getMethod("close").invoke(enlisting);
    }

    /** A test that failed must not fail the next. */
    @AfterEach
    void end() throws Exception {
        if (manager.getStatus() != Status.STATUS_NO_TRANSACTION) {
            manager.rollback();
        }
    }

    private JobScheduler jobs(TransactionMode mode) {
        return treadle.jobs().with(JobOptions.DEFAULT.withTransactionMode(mode));
    }

    private JobId order(String id) throws SQLException {
        try (Connection connection = enlisting.getConnection();
                Statement insert = connection.createStatement()) {
            insert.execute("insert into orders values ('" + id + "')");
        }
        return treadle.jobs().enqueue(new SendReceipt(id));
    }

    private boolean hasOrder(String id) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement count = connection.createStatement();
                ResultSet row = count.executeQuery("select count(*) from orders where id = '" + id + "'")) {
            row.next();
            return row.getInt(1) == 1;
        }
    }

    private boolean hasJob(JobId id) {
        return jobs(TransactionMode.OWN).find(id).isPresent();
    }

    private void awaitSent(String order) {
        Awaitility.await().atMost(SOON).until(() -> sent.contains(order));
    }

    @Test
    void a_commit_keeps_order_and_job_and_a_rollback_neither() throws Exception {
        manager.begin();
        JobId kept = order("kept");
        assertTrue(treadle.jobs().find(kept).isPresent(), "its own transaction sees it");
        assertFalse(hasJob(kept), "no other sees it");
        manager.commit();
        manager.begin();
        JobId gone = order("gone");
        manager.rollback();

        assertTrue(hasOrder("kept"));
        awaitSent("kept");
        assertFalse(hasOrder("gone"));
        assertFalse(hasJob(gone));
        assertTrue(hasJob(treadle.jobs().enqueue(new SendReceipt("without a transaction"))));
    }

    @Test
    void a_suspended_transaction_goes_on_after_the_other() throws Exception {
        manager.begin();
        JobId outer = order("outer");
        Transaction suspended = manager.suspend();
        manager.begin();
        JobId inner = order("inner");
        manager.commit();
        manager.resume(suspended);
        JobId resumed = order("resumed");
        manager.rollback();

        assertTrue(hasJob(inner));
        assertFalse(hasJob(outer));
        assertFalse(hasJob(resumed));
    }

    @Test
    void modes_write_after_the_commit_or_apart_from_it() throws Exception {
        manager.begin();
        JobId never = jobs(TransactionMode.AFTER_COMMIT).enqueue(new SendReceipt("never"));
        JobId always = jobs(TransactionMode.OWN).enqueue(new SendReceipt("always"));
        manager.rollback();
        manager.begin();
        JobId later = jobs(TransactionMode.AFTER_COMMIT).enqueue(new SendReceipt("later"));
        assertFalse(hasJob(later));
        manager.commit();

        assertFalse(hasJob(never));
        assertTrue(hasJob(always));
        assertTrue(hasJob(later));
    }

    @Test
    void jobs_from_callbacks_around_the_commit_are_kept() throws Exception {
        List<JobId> ids = new ArrayList<>();
        manager.begin();
        manager.getTransaction().registerSynchronization(new Synchronization() {
            @Override
            public void beforeCompletion() {
                ids.add(treadle.jobs().enqueue(new SendReceipt("before")));
            }

            @Override
            public void afterCompletion(int status) {
                ids.add(treadle.jobs().enqueue(new SendReceipt("after")));
            }
        });
        order("with callbacks");
        manager.commit();

        assertEquals(2, ids.size());
        awaitSent("before");
        awaitSent("after");
    }

    @Test
    void a_transaction_that_can_only_be_rolled_back_is_refused() throws Exception {
        manager.begin();
        manager.setRollbackOnly();
        String said = assertThrows(
                        IllegalStateException.class, () -> treadle.jobs().enqueue(new SendReceipt("no")))
                .getMessage();
        manager.rollback();

        assertTrue(said.contains("marked for rollback"), said);
    }

    @Test
    void a_failed_call_leaves_the_transaction_usable() throws Exception {
        JobOptions keyed = JobOptions.DEFAULT.withKey(KeyRule.mailbox("one at a time"));
        try (Connection other = database.getConnection()) {
            other.setAutoCommit(false);
            // locks the key until its end
            treadle.jobs().in(other).with(keyed).enqueue(new SendReceipt("other"));
            manager.begin();
            order("still there");
            assertThrows(
                    StorageException.class, () -> treadle.jobs().with(keyed).enqueue(new SendReceipt("too late")));
            JobId id = order("and another");
            manager.commit();
            other.rollback();

            assertTrue(hasOrder("still there"));
            assertTrue(hasJob(id));
        }
    }

    @Test
    void a_data_source_that_enlists_nothing_is_refused() throws Exception {
        try (Treadle wrong = Treadle.on(SqlStorageProvider.using(database))
                .transactionLink(JtaTransactionLink.of(manager))
                .enqueueOnly()) {
            manager.begin();
            String said = assertThrows(
                            IllegalStateException.class, () -> wrong.jobs().enqueue(new SendReceipt("no")))
                    .getMessage();
            manager.rollback();

            assertTrue(said.contains("did not enlist its connection"), said);
        }
        assertEquals(0, database.getHikariPoolMXBean().getThreadsAwaitingConnection());
    }

    @Test
    void the_storage_is_not_given_what_enlists() {
        String said = assertThrows(IllegalArgumentException.class, () -> SqlStorageProvider.using(enlisting))
                .getMessage();

        assertTrue(said.contains("hands out the connections of the application's transactions"), said);
    }
}
