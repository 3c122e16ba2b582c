package dev.treadle.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.Treadle;
import dev.treadle.job.JobId;
import dev.treadle.spring.Shop.SendReceipt;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.sql.SqlStorageProvider;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A storage is not given what hands out the connections of the application's transactions. */
@ParameterizedClass
@EnumSource(Database.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RefusedDataSourcesTest {
    @Parameter
    private Database kind;

    private HikariDataSource database;
    private JdbcTemplate jdbc;
    private TransactionTemplate transaction;

    @BeforeParameterizedClassInvocation
    void open() {
        database = kind.pool();
        jdbc = new JdbcTemplate(database);
        jdbc.execute("create table orders (id varchar(100) primary key)");
        transaction = new TransactionTemplate(new JdbcTransactionManager(database));
    }

    @AfterParameterizedClassInvocation
    void close() {
        database.close();
    }

    private static void assertRefused(DataSource given, String why) {
        String said = assertThrows(IllegalArgumentException.class, () -> SqlStorageProvider.using(given))
                .getMessage();
        assertTrue(said.startsWith("This DataSource"), said);
        assertTrue(said.contains(why), said);
        assertTrue(said.contains("give it the plain DataSource or pool behind this one"), said);
        assertTrue(said.contains("jobs.in(connection)"), said);
    }

    @Test
    void the_aware_proxy_and_whatever_is_around_it() {
        var aware = new TransactionAwareDataSourceProxy(database);

        assertRefused(aware, "TransactionAwareDataSourceProxy");
        assertRefused(new TransactionAwareDataSourceProxy(database) {}, "hands out the connections");
        assertRefused(new DelegatingDataSource(aware), "TransactionAwareDataSourceProxy");
        assertRefused(new LazyConnectionDataSourceProxy(aware), "TransactionAwareDataSourceProxy");
        assertRefused(
                new DelegatingDataSource(new LazyConnectionDataSourceProxy(aware)), "TransactionAwareDataSourceProxy");
    }

    @Test
    void a_pool_whose_connections_come_with_autocommit_off() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.getJdbcUrl());
        config.setAutoCommit(false);
        config.setMaximumPoolSize(2);
        try (HikariDataSource off = new HikariDataSource(config)) {
            for (int i = 0; i < 5; i++) {
                assertRefused(off, "autocommit off");
            }
            assertEquals(0, off.getHikariPoolMXBean().getActiveConnections(), "each was given back");
        }
    }

    @Test
    void a_storage_on_the_pool_itself_leaves_the_transaction_alone() {
        List<JobId> ids = new ArrayList<>();
        try (Treadle treadle = Treadle.on(SqlStorageProvider.using(database)).enqueueOnly()) {
            transaction.executeWithoutResult(status -> {
                jdbc.update("insert into orders values ('rolled back')");
                ids.add(treadle.jobs().enqueue(new SendReceipt("rolled back")));
                status.setRollbackOnly();
            });

            assertEquals(0, orders("rolled back"));
            assertFalse(treadle.jobs().find(ids.get(0)).isPresent());
        }
    }

    /** Of an unknown name, and with the thread's transaction as soon as there is one. */
    private static final class OwnAwareDataSource extends AbstractDataSource {
        private final DataSource pool;

        OwnAwareDataSource(DataSource pool) {
            this.pool = pool;
        }

        @Override
        public Connection getConnection() throws SQLException {
            return new TransactionAwareDataSourceProxy(pool).getConnection();
        }

        @Override
        public Connection getConnection(String user, String password) throws SQLException {
            return getConnection();
        }
    }

    @Test
    void one_that_hands_out_transactions_only_later_fails_the_call_and_no_more() throws SQLException {
        try (HikariDataSource pool = Database.pool(database.getJdbcUrl())) {
            var watched = new WatchedDataSource(pool);
            // no link finds this transaction: the call goes to the storage's own connections
            try (Treadle treadle = Treadle.on(SqlStorageProvider.using(new OwnAwareDataSource(watched)))
                    .transactionsOf(new OwnAwareDataSource(watched))
                    .enqueueOnly()) {
                var manager = new JdbcTransactionManager(watched);
                for (boolean commit : new boolean[] {false, true}) {
                    String order = "later " + commit;
                    new TransactionTemplate(manager).executeWithoutResult(status -> {
                        new JdbcTemplate(watched).update("insert into orders values (?)", order);
                        List<String> before = watched.calls(DataSourceUtils.getConnection(watched));
                        String said = assertThrows(
                                        StorageException.class,
                                        () -> treadle.jobs().enqueue(new SendReceipt(order)))
                                .getMessage();

                        assertTrue(said.contains("autocommit off"), said);
                        assertEquals(before, watched.calls(DataSourceUtils.getConnection(watched)));
                        if (!commit) {
                            status.setRollbackOnly();
                        }
                    });
                    assertEquals(commit ? 1 : 0, orders(order));
                }
                assertTrue(treadle.jobs()
                        .find(treadle.jobs().enqueue(new SendReceipt("outside")))
                        .isPresent());
            }
        }
    }

    private int orders(String id) {
        return jdbc.queryForObject("select count(*) from orders where id = ?", Integer.class, id);
    }
}
