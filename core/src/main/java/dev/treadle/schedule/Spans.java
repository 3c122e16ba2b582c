package dev.treadle.schedule;

import java.time.Duration;
import java.time.Instant;

/** The limits of intervals and delays. */
final class Spans {
    /** Most times of one preview. */
    static final int PREVIEW_MAX = 1_000;

    static final Duration MIN = Duration.ofMillis(100);
    static final Duration MAX = Duration.ofDays(3_650);
    /** Beyond this no schedule looks: databases and people stop there too. */
    static final Instant LAST = Instant.parse("9999-12-31T00:00:00Z");

    private static final int NANOS_PER_MILLI = 1_000_000;

    private Spans() {}

    /** @throws IllegalArgumentException naming what is wrong */
    static Duration checked(String what, Duration span) {
        if (span.compareTo(MIN) < 0 || span.compareTo(MAX) > 0 || span.getNano() % NANOS_PER_MILLI != 0) {
            throw new IllegalArgumentException("The " + what + " of a schedule is " + span + " and must be " + MIN
                    + " to " + MAX + " in whole milliseconds.");
        }
        return span;
    }

    static int checkedCount(int count) {
        if (count < 1 || count > PREVIEW_MAX) {
            throw new IllegalArgumentException(
                    "A preview of " + count + " times is out of range: 1 to " + PREVIEW_MAX + ".");
        }
        return count;
    }
}
