package dev.treadle.job;

import org.jspecify.annotations.Nullable;

/**
 * What a job returned, as it is kept. A job whose result cannot be kept has still succeeded.
 *
 * @param json       the value as JSON; null if it was not kept
 * @param whyNotKept why it was not kept; null if it was
 */
public record JobResult(@Nullable String json, @Nullable String whyNotKept) {
    /** Largest result kept by default, in bytes of JSON in UTF-8. */
    public static final int RESULT_BYTES_MAX = 65_536;

    /** A value that is kept. */
    public static JobResult of(String json) {
        return new JobResult(json, null);
    }

    /** A value that is not, and why. */
    public static JobResult notKept(String why) {
        return new JobResult(null, Failure.because("", why).message());
    }
}
