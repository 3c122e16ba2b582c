package dev.treadle.jta;

import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.internal.arjuna.objectstore.VolatileStore;
import com.arjuna.ats.internal.jta.transaction.arjunacore.TransactionSynchronizationRegistryImple;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import com.atomikos.icatch.jta.UserTransactionManager;
import com.atomikos.jdbc.AtomikosDataSourceBean;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.security.NamePrincipal;
import io.agroal.api.security.SimplePassword;
import io.agroal.narayana.NarayanaTransactionIntegration;
import jakarta.transaction.TransactionManager;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.postgresql.xa.PGXADataSource;

/** Transaction managers, each with what enlists connections in its transactions. */
enum Managed {
    /** As in Quarkus. */
    NARAYANA {
        private final TransactionSynchronizationRegistry registry = new TransactionSynchronizationRegistryImple();

        @Override
        TransactionManager manager() {
            for (String store : new String[] {null, "stateStore", "communicationStore"}) {
                BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store)
                        .setObjectStoreType(VolatileStore.class.getName());
            }
            return com.arjuna.ats.jta.TransactionManager.transactionManager();
        }

        @Override
        JtaTransactionLink link() {
            return JtaTransactionLink.of(registry);
        }

        @Override
        AgroalDataSource enlisting(Database kind, String url) {
            try {
                return AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                        .connectionPoolConfiguration(pool -> pool.maxSize(10)
                                .transactionIntegration(new NarayanaTransactionIntegration(manager(), registry))
                                .connectionFactoryConfiguration(factory -> factory.jdbcUrl(url)
                                        .connectionProviderClass(
                                                kind == Database.H2 ? JdbcDataSource.class : PGXADataSource.class)
                                        .principal(new NamePrincipal(kind == Database.H2 ? "sa" : "postgres"))
                                        .credential(new SimplePassword("")))));
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    },

    ATOMIKOS {
        @Override
        TransactionManager manager() {
            System.setProperty("com.atomikos.icatch.log_base_dir", "target");
            System.setProperty("com.atomikos.icatch.registered", "true");
            return new UserTransactionManager();
        }

        @Override
        JtaTransactionLink link() {
            return JtaTransactionLink.of(manager());
        }

        @Override
        AtomikosDataSourceBean enlisting(Database kind, String url) {
            AtomikosDataSourceBean source = new AtomikosDataSourceBean();
            source.setUniqueResourceName(UUID.randomUUID().toString().substring(0, 30));
            source.setXaDataSource(kind.xa(url));
            source.setMaxPoolSize(10);
            source.setBorrowConnectionTimeout(5);
            return source;
        }
    };

    abstract TransactionManager manager();

    abstract JtaTransactionLink link();

    /** Enlists its connections in transactions of the manager. */
    abstract DataSource enlisting(Database kind, String url);
}
