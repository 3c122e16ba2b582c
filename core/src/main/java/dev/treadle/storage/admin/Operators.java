package dev.treadle.storage.admin;

import dev.treadle.job.OperatorAct;
import dev.treadle.storage.RecurringStorage;
import dev.treadle.storage.TransactionalStorage;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The trace of what people did. What they do to {@linkplain TransactionalStorage#act jobs}, {@linkplain QueueStorage
 * queues} and {@linkplain RecurringStorage recurring jobs} takes its audit row along in the same transaction, so neither
 * is without the other. Thread-safe.
 */
public interface Operators {
    /** Most audit rows that one call gives. */
    int AUDIT_MAX = 200;

    /**
     * Writes down something that was done elsewhere.
     *
     * @param jobs how many jobs it was done to
     */
    void note(OperatorAct act, int jobs);

    /**
     * What was done, latest first.
     *
     * @param before only rows before the one with this number; null for the latest
     * @param max    most rows to give, 1 to {@link #AUDIT_MAX}
     */
    List<Done> audit(@Nullable Long before, int max);

    /**
     * An audit row.
     *
     * @param number grows with each row
     * @param at     when, by the clock of the storage
     * @param by     who
     * @param action what
     * @param target what it was aimed at
     * @param why    the reason given; null if none was
     * @param jobs   how many jobs it was done to
     */
    record Done(
            long number,
            Instant at,
            String by,
            String action,
            String target,
            @Nullable String why,
            int jobs) {}
}
