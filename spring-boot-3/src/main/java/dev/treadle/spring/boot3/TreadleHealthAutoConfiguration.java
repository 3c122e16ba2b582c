package dev.treadle.spring.boot3;

import dev.treadle.Treadle;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Whether jobs run as they should, in the application's health. Backs off with Spring Boot 4, which lacks these types. */
@AutoConfiguration(afterName = "dev.treadle.spring.boot.TreadleAutoConfiguration")
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
