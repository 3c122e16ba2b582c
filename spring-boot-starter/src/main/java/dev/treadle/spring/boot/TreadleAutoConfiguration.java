package dev.treadle.spring.boot;

import dev.treadle.Treadle;
import dev.treadle.api.JobScheduler;
import dev.treadle.api.Queues;
import dev.treadle.api.RecurringJobs;
import dev.treadle.api.TreadleSetupException;
import dev.treadle.spring.SpringTreadle;
import dev.treadle.spring.TreadleCustomizer;
import dev.treadle.storage.StorageProvider;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** Builds the application's Treadle from properties, handlers and {@link TreadleCustomizer}s. Each bean can be replaced. */
@AutoConfiguration(after = TreadleStorageAutoConfiguration.class)
@ConditionalOnProperty(prefix = "treadle", name = "enabled", matchIfMissing = true)
@EnableConfigurationProperties({TreadleProperties.class, TreadleServerProperties.class})
final class TreadleAutoConfiguration {
    /** What is wrong should be seen at the start, and the server starts then, too. */
    @Bean
    static LazyInitializationExcludeFilter treadleLazyInitializationExcludeFilter() {
        return LazyInitializationExcludeFilter.forBeanTypes(Treadle.class, StorageProvider.class);
    }

    @Bean
    @ConditionalOnMissingBean
    Treadle treadle(
            StorageProvider storage,
            TreadleProperties properties,
            TreadleServerProperties server,
            ConfigurableListableBeanFactory beans,
            Environment environment,
            ObjectProvider<TreadleCustomizer> customizers) {
        Treadle.Builder builder = SpringTreadle.builder(storage, beans);
        try {
            properties.applyTo(builder);
            builder.settings(server.settings(StopPatience.of(server.stopPatience(), environment)));
            String executor = ExecutorChoice.of(server.executor(), environment, beans.getBeanClassLoader());
            if (executor != null) {
                builder.executor(executor);
            }
            customizers.orderedStream().forEach(one -> one.customize(builder));
            return server.enabled() ? builder.build() : builder.enqueueOnly();
        } catch (TreadleSetupException e) {
            throw e;
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new TreadleSetupException(
                    "Treadle cannot be set up as this application says: " + e.getMessage(),
                    "Change what the message names: in treadle.server.* and treadle.*, or in a TreadleCustomizer.",
                    e);
        }
    }

    @Bean(destroyMethod = "")
    @ConditionalOnMissingBean
    JobScheduler jobScheduler(Treadle treadle) {
        return treadle.jobs();
    }

    @Bean(destroyMethod = "")
    @ConditionalOnMissingBean
    Queues jobQueues(Treadle treadle) {
        return treadle.queues();
    }

    @Bean(destroyMethod = "")
    @ConditionalOnMissingBean
    RecurringJobs recurringJobs(Treadle treadle) {
        return treadle.jobs().recurring();
    }
}
