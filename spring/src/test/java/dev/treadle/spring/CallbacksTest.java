package dev.treadle.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.Treadle;
import dev.treadle.api.JobOptions;
import dev.treadle.job.JobId;
import dev.treadle.spring.Shop.SendReceipt;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.sql.SqlStorageProvider;
import dev.treadle.transaction.TransactionMode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Jobs that are enqueued while Spring tells of a commit, and commits after which something fails. */
class CallbacksTest {
    private final Shop shop = new Shop(Database.H2);
    private final JdbcTransactionManager manager = new JdbcTransactionManager(shop.database);
    private final TransactionTemplate transaction = new TransactionTemplate(manager);
    private final List<JobId> ids = new ArrayList<>();

    @AfterEach
    void close() {
        shop.close();
    }

    private static void afterCommit(Runnable action) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                action.run();
            }
        });
    }

    private TransactionTemplate under(int propagation) {
        TransactionTemplate template = new TransactionTemplate(manager);
        template.setPropagationBehavior(propagation);
        return template;
    }

    @Test
    void a_job_from_after_the_commit_is_kept() {
        transaction.executeWithoutResult(
                status -> afterCommit(() -> ids.add(shop.jobs().enqueue(new SendReceipt("first in the transaction")))));
        transaction.executeWithoutResult(status -> {
            ids.add(shop.order("in the transaction"));
            afterCommit(() -> ids.add(shop.jobs().enqueue(new SendReceipt("after it"))));
        });
        transaction.executeWithoutResult(status ->
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCompletion(int ended) {
                        ids.add(shop.jobs().enqueue(new SendReceipt("after completion")));
                    }
                }));

        assertEquals(4, ids.size());
        ids.forEach(id -> assertTrue(shop.hasJob(id)));
        shop.awaitSent("first in the transaction");
        shop.awaitSent("after it");
        shop.awaitSent("after completion");
    }

    @Test
    void it_is_kept_too_where_connections_come_with_autocommit_off() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(shop.database.getJdbcUrl());
        config.setAutoCommit(false);
        try (HikariDataSource off = new HikariDataSource(config);
                HikariDataSource storages = Database.pool(shop.database.getJdbcUrl());
                Treadle treadle = Treadle.on(SqlStorageProvider.using(storages))
                        .transactionsOf(off)
                        .enqueueOnly()) {
            var within = new TransactionTemplate(new JdbcTransactionManager(off));
            within.executeWithoutResult(
                    status -> afterCommit(() -> ids.add(treadle.jobs().enqueue(new SendReceipt("first")))));
            within.executeWithoutResult(status -> {
                ids.add(treadle.jobs().enqueue(new SendReceipt("within")));
                afterCommit(() -> ids.add(treadle.jobs().enqueue(new SendReceipt("after it"))));
            });

            assertEquals(3, ids.size());
            ids.forEach(id -> assertTrue(shop.hasJob(id)));
        }
    }

    @Test
    void a_job_from_before_the_commit_takes_part_in_it() {
        transaction.executeWithoutResult(status -> {
            status.setRollbackOnly();
            shop.jobs().find(JobId.of(java.util.UUID.randomUUID()));
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void beforeCompletion() {
                    ids.add(shop.jobs().enqueue(new SendReceipt("rolled back with it")));
                }
            });
        });

        assertFalse(shop.hasJob(ids.get(0)));
    }

    @Test
    void a_transaction_that_begins_after_the_commit_is_joined_and_a_doubtful_one_refused() {
        transaction.executeWithoutResult(status -> afterCommit(
                () -> under(TransactionDefinition.PROPAGATION_REQUIRES_NEW).executeWithoutResult(inner -> {
                    ids.add(shop.order("gone"));
                    inner.setRollbackOnly();
                })));
        transaction.executeWithoutResult(status -> afterCommit(() -> transaction.executeWithoutResult(
                inner -> assertThrows(IllegalStateException.class, () -> shop.order("doubtful")))));

        assertFalse(shop.hasJob(ids.get(0)));
    }

    @Test
    void a_callback_that_throws_keeps_no_job_from_being_enqueued() {
        var thrown = assertThrows(
                IllegalStateException.class,
                () -> transaction.executeWithoutResult(status -> {
                    afterCommit(() -> {
                        throw new IllegalStateException("mine");
                    });
                    ids.add(shop.jobs(TransactionMode.AFTER_COMMIT).enqueue(new SendReceipt("later")));
                }));

        assertEquals("mine", thrown.getMessage());
        assertTrue(shop.hasJob(ids.get(0)));
    }

    @Test
    void a_job_that_cannot_be_written_after_the_commit_is_said_to_the_caller() {
        HikariDataSource storages = Database.pool(shop.database.getJdbcUrl());
        try (Treadle treadle = Treadle.on(SqlStorageProvider.using(storages))
                .transactionsOf(shop.database)
                .enqueueOnly()) {
            var later = treadle.jobs().with(JobOptions.DEFAULT.withTransactionMode(TransactionMode.AFTER_COMMIT));
            var thrown = assertThrows(
                    StorageException.class,
                    () -> transaction.executeWithoutResult(status -> {
                        shop.jdbc.update("insert into orders values ('committed')");
                        later.enqueue(new SendReceipt("lost"));
                        storages.close();
                    }));

            assertTrue(
                    thrown.getMessage().startsWith("The transaction has been committed, but jobs"), thrown::getMessage);
            assertTrue(shop.hasOrder("committed"));
        }
    }
}
