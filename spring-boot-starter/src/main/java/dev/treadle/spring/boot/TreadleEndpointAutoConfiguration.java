package dev.treadle.spring.boot;

import dev.treadle.Treadle;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The queues as an endpoint of the actuator, if that is exposed. */
@AutoConfiguration(after = TreadleAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnAvailableEndpoint(TreadleEndpoint.class)
@ConditionalOnBean(Treadle.class)
final class TreadleEndpointAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    TreadleEndpoint treadleEndpoint(Treadle treadle) {
        return new TreadleEndpoint(treadle);
    }
}
