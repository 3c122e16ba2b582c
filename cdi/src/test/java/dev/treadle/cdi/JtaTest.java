package dev.treadle.cdi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.internal.arjuna.objectstore.VolatileStore;
import com.arjuna.ats.internal.jta.transaction.arjunacore.TransactionSynchronizationRegistryImple;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import dev.treadle.api.JobOptions;
import dev.treadle.api.JobScheduler;
import dev.treadle.cdi.Application.Done;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobRequestHandler;
import dev.treadle.transaction.TransactionMode;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.security.NamePrincipal;
import io.agroal.api.security.SimplePassword;
import io.agroal.narayana.NarayanaTransactionIntegration;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.transaction.TransactionManager;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/** Jobs join the transactions of JTA where the DataSource of the application takes part in them, as Agroal's does in Quarkus. */
class JtaTest {
    record Receipt(String order) implements JobRequest<Void> {}

    @Singleton
    static class Receipts implements JobRequestHandler<Receipt> {
        @Inject
        Done done;

        @Override
        public void run(Receipt receipt, JobContext job) {
            done.all.add(receipt.order());
        }
    }

    @Singleton
    static class Transactions {
        @Produces
        @Singleton
        TransactionManager manager() {
            for (String store : new String[] {null, "stateStore", "communicationStore"}) {
                BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store)
                        .setObjectStoreType(VolatileStore.class.getName());
            }
            return com.arjuna.ats.jta.TransactionManager.transactionManager();
        }
    }

    @Singleton
    static class Registry {
        @Produces
        @Singleton
        TransactionSynchronizationRegistry registry() {
            return new TransactionSynchronizationRegistryImple();
        }
    }

    @Singleton
    static class Database {
        @Produces
        @Singleton
        AgroalDataSource database() throws SQLException {
            TransactionManager manager = new Transactions().manager();
            return AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                    .connectionPoolConfiguration(pool -> pool.maxSize(4)
                            .transactionIntegration(new NarayanaTransactionIntegration(
                                    manager, new TransactionSynchronizationRegistryImple()))
                            .connectionFactoryConfiguration(factory -> factory.jdbcUrl(Databases.newUrl())
                                    .connectionProviderClass(JdbcDataSource.class)
                                    .principal(new NamePrincipal("sa"))
                                    .credential(new SimplePassword("")))));
        }

        void close(@Disposes AgroalDataSource database) {
            database.close();
        }
    }

    @Test
    void jobs_are_committed_and_rolled_back_with_the_rows_of_the_application() throws Exception {
        try (SeContainer container =
                Application.start(Done.class, Receipts.class, Transactions.class, Registry.class, Database.class)) {
            joins(container);
        }
    }

    @Test
    void a_transaction_manager_is_enough() throws Exception {
        try (SeContainer container =
                Application.start(Done.class, Receipts.class, Transactions.class, Database.class)) {
            joins(container);
        }
    }

    private static void joins(SeContainer container) throws Exception {
        JobScheduler jobs = container.select(JobScheduler.class).get();
        TransactionManager manager = container.select(TransactionManager.class).get();
        AgroalDataSource database = container.select(AgroalDataSource.class).get();
        execute(database, "create table orders (id varchar(20))");

        manager.begin();
        execute(database, "insert into orders values ('kept')");
        JobId kept = jobs.enqueue(new Receipt("kept"));
        manager.commit();
        manager.begin();
        execute(database, "insert into orders values ('undone')");
        JobId undone = jobs.enqueue(new Receipt("undone"));
        jobs.with(JobOptions.DEFAULT.withTransactionMode(TransactionMode.OWN)).enqueue(new Receipt("own"));
        manager.rollback();

        Done done = container.select(Done.class).get();
        done.await("kept");
        done.await("own");
        assertTrue(jobs.find(kept).isPresent());
        assertTrue(jobs.find(undone).isEmpty());
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet orders = statement.executeQuery("select id from orders")) {
            assertTrue(orders.next());
            assertEquals("kept", orders.getString(1));
            assertFalse(orders.next());
        }
    }

    @Test
    void without_a_transaction_manager_the_application_does_not_start() {
        String said = Application.refused(Done.class, Receipts.class, Database.class);

        assertTrue(said.contains("takes part in transactions of JTA, and no bean is a TransactionManager"), said);
    }

    private static void execute(AgroalDataSource database, String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
