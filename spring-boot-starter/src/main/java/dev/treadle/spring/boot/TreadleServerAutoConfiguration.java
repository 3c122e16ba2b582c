package dev.treadle.spring.boot;

import dev.treadle.Treadle;
import dev.treadle.spring.SpringTreadle;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;

/** Starts and stops the server with the application, unless {@code treadle.server.enabled} is false. */
@AutoConfiguration(after = TreadleAutoConfiguration.class)
@ConditionalOnBean(Treadle.class)
@ConditionalOnProperty(prefix = "treadle.server", name = "enabled", matchIfMissing = true)
final class TreadleServerAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean(name = "treadleClaiming")
    SmartLifecycle treadleClaiming(Treadle treadle, ConfigurableListableBeanFactory beans) {
        return SpringTreadle.claiming(treadle, beans);
    }

    @Bean
    @ConditionalOnMissingBean(name = "treadleRunningJobs")
    SmartLifecycle treadleRunningJobs(Treadle treadle) {
        return SpringTreadle.runningJobs(treadle);
    }
}
