package dev.treadle.spring.boot;

import dev.treadle.Treadle;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** What this Treadle is, in the application's info. {@code management.info.treadle.enabled=false} ends it. */
@AutoConfiguration(after = TreadleAutoConfiguration.class)
@ConditionalOnClass({InfoContributor.class, ConditionalOnEnabledInfoContributor.class})
@ConditionalOnEnabledInfoContributor("treadle")
@ConditionalOnBean(Treadle.class)
final class TreadleInfoAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean(name = "treadleInfoContributor")
    InfoContributor treadleInfoContributor(Treadle treadle) {
        return new TreadleInfoContributor(treadle);
    }
}
