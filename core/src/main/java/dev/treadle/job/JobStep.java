package dev.treadle.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A recorded step of a job: it was done once, and its result is given back to later runs. See {@link JobContext#step}.
 *
 * @param name    its name, which no other step of the job has
 * @param attempt the attempt in which it was done, from 1
 * @param at      when it was recorded, by the storage's clock
 * @param took    how long it took
 * @param result  what it returned, as JSON; null if nothing
 * @param secrets names of fields in the result that people must not see: see {@link Secret}
 */
public record JobStep(
        String name,
        int attempt,
        Instant at,
        Duration took,
        @Nullable String result,
        Set<String> secrets) {
    /** Longest name, in characters. */
    public static final int NAME_CHARS_MAX = 200;
    /** Most steps of one job. */
    public static final int STEPS_MAX = 10_000;
    /** Most that the results of all steps of one job take together, in characters of JSON. */
    public static final int RESULT_CHARS_MAX = 16 * 1024 * 1024;

    /** Copies the names. */
    public JobStep {
        secrets = Set.copyOf(secrets);
    }
}
