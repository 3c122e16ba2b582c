package dev.treadle.spring.boot;

import dev.treadle.Treadle;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** Whether jobs run as they should, in the application's health. {@code management.health.treadle.enabled=false} ends it. */
@AutoConfiguration(after = TreadleAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnEnabledHealthIndicator("treadle")
@ConditionalOnBean(Treadle.class)
final class TreadleHealthAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean(name = "treadleHealthIndicator")
    HealthIndicator treadleHealthIndicator(Treadle treadle) {
        return new TreadleHealthIndicator(treadle::health);
    }
}
