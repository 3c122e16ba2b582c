package dev.treadle.job;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * What a step of a job does, if it returns something; see {@link JobContext#step(String, StepCall)}. It is serializable
 * only so that its return type can be found out. It is never serialized, and may use anything.
 *
 * @param <R> what it returns
 */
@FunctionalInterface
public interface StepCall<R extends @Nullable Object> extends Serializable {
    /** Does it. */
    R call() throws Exception;
}
