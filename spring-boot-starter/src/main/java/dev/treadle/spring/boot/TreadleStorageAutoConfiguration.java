package dev.treadle.spring.boot;

import dev.treadle.api.TreadleSetupException;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.sql.SqlStorageProvider;
import dev.treadle.storage.sql.SqlStorageSettings;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * Keeps jobs in the application's DataSource, after Flyway, Liquibase and scripts have made their tables. Backs off if the
 * application has a {@link StorageProvider} of its own.
 */
// why both names: Spring Boot 4 moved the class
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration"
        })
@ConditionalOnProperty(prefix = "treadle", name = "enabled", matchIfMissing = true)
@EnableConfigurationProperties(TreadleStorageProperties.class)
@Import(DatabaseInitializationDependencyConfigurer.class)
final class TreadleStorageAutoConfiguration {
    /** Closed by the Treadle on it. */
    @Bean(destroyMethod = "")
    @ConditionalOnMissingBean(StorageProvider.class)
    @DependsOnDatabaseInitialization
    SqlStorageProvider treadleStorage(
            TreadleStorageProperties properties,
            @TreadleDataSource ObjectProvider<DataSource> marked,
            ObjectProvider<DataSource> all) {
        DataSource dataSource = chosen(marked, all);
        try {
            return SqlStorageProvider.using(dataSource, properties.settings());
        } catch (StorageException | IllegalArgumentException | IllegalStateException e) {
            throw new TreadleSetupException(
                    "Treadle cannot keep its jobs in this application's DataSource: " + e.getMessage(),
                    remedy(properties, e),
                    e);
        }
    }

    private static DataSource chosen(ObjectProvider<DataSource> marked, ObjectProvider<DataSource> all) {
        DataSource dataSource = marked.getIfAvailable();
        dataSource = dataSource == null ? all.getIfUnique() : dataSource;
        if (dataSource == null) {
            boolean several = all.stream().findAny().isPresent();
            throw new TreadleSetupException(
                    several
                            ? "Treadle does not know which of this application's DataSources keeps the jobs."
                            : "Treadle keeps jobs in a database, and this application has no DataSource.",
                    several
                            ? "Mark one with @TreadleDataSource, or with @Primary."
                            : "Set spring.datasource.url, define a bean of type StorageProvider, or switch Treadle off with"
                                    + " treadle.enabled=false.",
                    null);
        }
        return dataSource;
    }

    private static String remedy(TreadleStorageProperties properties, RuntimeException e) {
        if (e instanceof StorageException) {
            return "Check that the database is up, and what spring.datasource says.";
        }
        return properties.schema() == SqlStorageSettings.Schema.VALIDATE && e instanceof IllegalStateException
                ? "Let Treadle make its tables with treadle.storage.schema=migrate, or make them with Flyway or Liquibase from"
                        + " what SqlStorageProvider.schemaScript returns."
                : "Change what the message names: in the DataSource, or in treadle.storage.*.";
    }
}
