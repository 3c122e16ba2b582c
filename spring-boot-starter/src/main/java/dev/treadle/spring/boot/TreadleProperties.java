package dev.treadle.spring.boot;

import dev.treadle.Treadle;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * What applies to all of Treadle.
 *
 * @param enabled          Whether the application has Treadle.
 * @param allow            Packages, with those below them, whose methods lambdas and method references may call; without any,
 *                         every type of the application.
 * @param loggingContext   Whether the logging context of a job's thread has the job's id, type, queue and attempt.
 * @param argumentBytesMax How large the arguments of a job may be.
 * @param resultBytesMax   How large a stored result may be; 0 stores none.
 */
@ConfigurationProperties("treadle")
record TreadleProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue List<String> allow,
        @DefaultValue("true") boolean loggingContext,
        @Nullable DataSize argumentBytesMax,
        @Nullable DataSize resultBytesMax) {

    void applyTo(Treadle.Builder builder) {
        builder.allow(allow.toArray(String[]::new)).loggingContext(loggingContext);
        if (argumentBytesMax != null) {
            builder.argumentBytesMax(Math.toIntExact(argumentBytesMax.toBytes()));
        }
        if (resultBytesMax != null) {
            builder.resultBytesMax(Math.toIntExact(resultBytesMax.toBytes()));
        }
    }
}
