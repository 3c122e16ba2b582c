package dev.treadle.spring;

import dev.treadle.Treadle;
import dev.treadle.api.JobScheduler;
import dev.treadle.api.Queues;
import dev.treadle.api.RecurringJobs;
import dev.treadle.storage.StorageProvider;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A Treadle that starts and stops with an application of Spring without Spring Boot. Import it beside a bean of the storage:
 *
 * <pre>{@code
 * @Configuration
 * @Import(TreadleConfiguration.class)
 * class Jobs {
 *     @Bean
 *     StorageProvider storage(DataSource dataSource) {
 *         return SqlStorageProvider.using(dataSource);
 *     }
 * }
 * }</pre>
 *
 * <p>Settings are made by beans of type {@link TreadleCustomizer}.
 */
@Configuration(proxyBeanMethods = false)
public class TreadleConfiguration {
    /** Made by Spring. */
    public TreadleConfiguration() {}

    @Bean
    Treadle treadle(
            StorageProvider storage,
            ConfigurableListableBeanFactory beans,
            ObjectProvider<TreadleCustomizer> customizers) {
        Treadle.Builder builder = SpringTreadle.builder(storage, beans);
        customizers.orderedStream().forEach(one -> one.customize(builder));
        return builder.build();
    }

    @Bean(destroyMethod = "")
    JobScheduler jobScheduler(Treadle treadle) {
        return treadle.jobs();
    }

    @Bean(destroyMethod = "")
    Queues jobQueues(Treadle treadle) {
        return treadle.queues();
    }

    @Bean(destroyMethod = "")
    RecurringJobs recurringJobs(Treadle treadle) {
        return treadle.jobs().recurring();
    }

    @Bean
    SmartLifecycle treadleClaiming(Treadle treadle, ConfigurableListableBeanFactory beans) {
        return SpringTreadle.claiming(treadle, beans);
    }

    @Bean
    SmartLifecycle treadleRunningJobs(Treadle treadle) {
        return SpringTreadle.runningJobs(treadle);
    }
}
