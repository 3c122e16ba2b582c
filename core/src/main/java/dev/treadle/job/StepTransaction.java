package dev.treadle.job;

import java.io.Serializable;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/**
 * What a step of a job does in a transaction of the storage's database; see {@link JobContext#step(String,
 * StepTransaction)}. It is serializable only so that its return type can be found out, and is never serialized.
 *
 * @param <R> what it returns
 */
@FunctionalInterface
public interface StepTransaction<R extends @Nullable Object> extends Serializable {
    /**
     * Does it.
     *
     * @param connection with a transaction under way, which Treadle commits after it has recorded the step
     */
    R in(Connection connection) throws Exception;
}
