package dev.treadle.spring;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.job.JobId;
import dev.treadle.spring.Shop.SendReceipt;
import dev.treadle.transaction.TransactionMode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Jobs that are enqueued in Spring's transactions on one DataSource. */
@ParameterizedClass
@EnumSource(Database.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SpringTransactionsTest {
    @Parameter
    private Database kind;

    private Shop shop;
    private JdbcTransactionManager manager;
    private TransactionTemplate transaction;

    @BeforeParameterizedClassInvocation
    void open() {
        shop = new Shop(kind);
        manager = new JdbcTransactionManager(shop.database);
        transaction = new TransactionTemplate(manager);
    }

    @AfterParameterizedClassInvocation
    void close() {
        shop.close();
    }

    private TransactionTemplate under(int propagation) {
        TransactionTemplate template = new TransactionTemplate(manager);
        template.setPropagationBehavior(propagation);
        return template;
    }

    @Test
    void a_commit_keeps_order_and_job_and_a_rollback_neither() {
        JobId kept = transaction.execute(status -> {
            JobId id = shop.order("kept");
            assertTrue(shop.jobs().find(id).isPresent(), "its own transaction sees it");
            assertFalse(shop.hasJob(id), "no other sees it");
            return id;
        });
        JobId gone = transaction.execute(status -> {
            status.setRollbackOnly();
            return shop.order("gone");
        });

        assertTrue(shop.hasOrder("kept"));
        assertTrue(shop.hasJob(kept));
        shop.awaitSent("kept");
        assertFalse(shop.hasOrder("gone"));
        assertFalse(shop.hasJob(gone));
    }

    @Test
    void a_transaction_of_its_own_within_another_has_its_own_end() {
        List<JobId> ids = new ArrayList<>();
        transaction.executeWithoutResult(outer -> {
            ids.add(shop.order("outer 1"));
            under(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                    .executeWithoutResult(inner -> ids.add(shop.order("inner 1")));
            assertTrue(shop.hasJob(ids.get(1)));
            ids.add(shop.jobs(TransactionMode.AFTER_COMMIT).enqueue(new SendReceipt("outer later")));
            outer.setRollbackOnly();
        });
        transaction.executeWithoutResult(outer -> {
            ids.add(shop.order("outer 2"));
            under(TransactionDefinition.PROPAGATION_REQUIRES_NEW).executeWithoutResult(inner -> {
                ids.add(shop.order("inner 2"));
                inner.setRollbackOnly();
            });
            ids.add(shop.order("outer 2, resumed"));
        });

        assertTrue(shop.hasJob(ids.get(1)));
        assertFalse(shop.hasJob(ids.get(0)));
        assertFalse(shop.hasJob(ids.get(2)));
        assertTrue(shop.hasJob(ids.get(3)));
        assertFalse(shop.hasJob(ids.get(4)));
        assertTrue(shop.hasJob(ids.get(5)));
        shop.awaitSent("inner 1");
        shop.awaitSent("outer 2, resumed");
    }

    @Test
    void where_the_transaction_is_suspended_a_job_is_committed_by_itself() {
        List<JobId> ids = new ArrayList<>();
        transaction.executeWithoutResult(outer -> {
            outer.setRollbackOnly();
            under(TransactionDefinition.PROPAGATION_NOT_SUPPORTED)
                    .executeWithoutResult(none -> ids.add(shop.jobs().enqueue(new SendReceipt("apart"))));
        });
        under(TransactionDefinition.PROPAGATION_SUPPORTS).executeWithoutResult(none -> ids.add(shop.order("empty")));

        assertTrue(shop.hasJob(ids.get(0)));
        assertTrue(shop.hasJob(ids.get(1)));
    }

    @Test
    void a_nested_rollback_takes_its_jobs_along_and_no_others() {
        List<JobId> ids = new ArrayList<>();
        TransactionTemplate nested = under(TransactionDefinition.PROPAGATION_NESTED);
        transaction.executeWithoutResult(outer -> {
            nested.executeWithoutResult(inner -> {
                ids.add(shop.jobs(TransactionMode.AFTER_COMMIT).enqueue(new SendReceipt("first, gone")));
                inner.setRollbackOnly();
            });
            ids.add(shop.order("before"));
            ids.add(shop.jobs(TransactionMode.AFTER_COMMIT).enqueue(new SendReceipt("before, later")));
            nested.executeWithoutResult(inner -> {
                ids.add(shop.order("nested"));
                ids.add(shop.jobs(TransactionMode.AFTER_COMMIT).enqueue(new SendReceipt("nested, later")));
                inner.setRollbackOnly();
            });
            nested.executeWithoutResult(
                    inner -> ids.add(shop.jobs(TransactionMode.AFTER_COMMIT).enqueue(new SendReceipt("kept, later"))));
            ids.add(shop.order("after"));
        });

        assertFalse(shop.hasJob(ids.get(0)));
        assertTrue(shop.hasJob(ids.get(1)));
        assertTrue(shop.hasJob(ids.get(2)));
        assertFalse(shop.hasJob(ids.get(3)));
        assertFalse(shop.hasJob(ids.get(4)));
        assertTrue(shop.hasJob(ids.get(5)));
        assertTrue(shop.hasJob(ids.get(6)));
    }

    @Test
    void a_read_only_transaction_may_look_and_not_enqueue() {
        JobId known = shop.jobs().enqueue(new SendReceipt("known"));
        TransactionTemplate reading = new TransactionTemplate(manager);
        reading.setReadOnly(true);

        String said = reading.execute(status -> {
            assertTrue(shop.jobs().find(known).isPresent());
            assertTrue(shop.jobs().recurring().list().isEmpty());
            assertTrue(shop.hasJob(shop.jobs(TransactionMode.OWN).enqueue(new SendReceipt("own"))));
            return assertThrows(IllegalStateException.class, () -> shop.jobs().enqueue(new SendReceipt("no")))
                    .getMessage();
        });

        assertTrue(said.startsWith("The transaction on this thread is read-only"), said);
    }

    @Test
    void modes_write_after_the_commit_or_apart_from_it() {
        List<JobId> ids = new ArrayList<>();
        transaction.executeWithoutResult(status -> {
            ids.add(shop.jobs(TransactionMode.AFTER_COMMIT).enqueue(new SendReceipt("never")));
            ids.add(shop.jobs(TransactionMode.OWN).enqueue(new SendReceipt("always")));
            status.setRollbackOnly();
        });
        transaction.executeWithoutResult(status -> {
            ids.add(shop.jobs(TransactionMode.AFTER_COMMIT).enqueue(new SendReceipt("later")));
            assertFalse(shop.hasJob(ids.get(2)));
        });

        assertFalse(shop.hasJob(ids.get(0)));
        assertTrue(shop.hasJob(ids.get(1)));
        assertTrue(shop.hasJob(ids.get(2)));
        shop.awaitSent("later");
    }

    @Test
    void a_manager_that_never_synchronizes_is_refused() {
        JdbcTransactionManager silent = new JdbcTransactionManager(shop.database);
        silent.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);

        String said = new TransactionTemplate(silent)
                .execute(status -> assertThrows(
                                IllegalStateException.class, () -> shop.jobs().enqueue(new SendReceipt("no")))
                        .getMessage());

        assertTrue(said.contains("told never to synchronize"), said);
    }

    @Test
    void a_transaction_on_another_database_is_not_joined() {
        try (HikariDataSource other = kind.pool()) {
            JobId id = new TransactionTemplate(new JdbcTransactionManager(other)).execute(status -> {
                status.setRollbackOnly();
                // binds a connection of the shop's for as long as the transaction of the other lasts
                return shop.order("apart from the other");
            });

            assertTrue(shop.hasJob(id));
            assertTrue(shop.hasOrder("apart from the other"));
        }
    }

    @Test
    void proxies_around_the_same_pool_are_seen_through() {
        var lazily =
                new TransactionTemplate(new JdbcTransactionManager(new LazyConnectionDataSourceProxy(shop.database)));
        try (HikariDataSource database = kind.pool();
                Shop named = new Shop(
                        database, treadle -> treadle.transactionsOf(new TransactionAwareDataSourceProxy(database)))) {
            JobId lazy = lazily.execute(status -> {
                status.setRollbackOnly();
                return shop.jobs().enqueue(new SendReceipt("lazy"));
            });
            JobId aware = new TransactionTemplate(new JdbcTransactionManager(database)).execute(status -> {
                status.setRollbackOnly();
                return named.order("aware");
            });

            assertFalse(shop.hasJob(lazy));
            assertFalse(named.hasJob(aware));
        }
    }
}
