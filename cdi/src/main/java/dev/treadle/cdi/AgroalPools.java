package dev.treadle.cdi;

import dev.treadle.api.TreadleSetupException;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.cache.ConnectionCache;
import io.agroal.api.configuration.AgroalConnectionPoolConfiguration;
import io.agroal.api.configuration.AgroalConnectionPoolConfiguration.TransactionRequirement;
import io.agroal.api.configuration.supplier.AgroalConnectionPoolConfigurationSupplier;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.transaction.TransactionIntegration;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Pools of Agroal, as in Quarkus. Loaded only where there is Agroal. */
final class AgroalPools {
    private AgroalPools() {}

    /**
     * A pool that leads to the same database and knows nothing of transactions.
     *
     * @param most how many connections it may open
     * @return null if the given one takes part in no transactions of JTA, or is none of Agroal
     */
    static @Nullable AgroalDataSource besides(DataSource source, int most) {
        if (!(source instanceof AgroalDataSource agroal)) {
            return null;
        }
        AgroalConnectionPoolConfiguration pool = agroal.getConfiguration().connectionPoolConfiguration();
        // each call makes another "none"
        boolean isPlain = pool.transactionIntegration().getClass()
                == TransactionIntegration.none().getClass();
        return isPlain ? null : open(agroal, pool, most);
    }

    private static AgroalDataSource open(AgroalDataSource like, AgroalConnectionPoolConfiguration pool, int most) {
        var settings = new AgroalConnectionPoolConfigurationSupplier(pool)
                .transactionIntegration(TransactionIntegration.none())
                .transactionRequirement(TransactionRequirement.OFF)
                .recoveryEnable(false)
                // that of the other pool hands out the connections of the other pool
                .connectionCache(ConnectionCache.none())
                // a server keeps some connections for as long as it runs
                .leakTimeout(Duration.ZERO)
                .initialSize(0)
                .minSize(0)
                .maxSize(most);
        try {
            return AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                    .dataSourceImplementation(like.getConfiguration().dataSourceImplementation())
                    .connectionPoolConfiguration(settings));
        } catch (SQLException e) {
            throw new TreadleSetupException(
                    "Treadle cannot open a pool besides the application's: " + e.getMessage(),
                    "Produce a DataSource that takes part in no transactions, and mark it with @TreadleDataSource.",
                    e);
        }
    }
}
