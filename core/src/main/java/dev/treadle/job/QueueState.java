package dev.treadle.job;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is to be said of one queue.
 *
 * @param waiting     how many jobs may run now and have not begun, each lane counted up to {@link #COUNTED_MAX}
 * @param oldestWaits for how long the oldest of them has been due; null if none waits
 * @param pause       null if it is not paused
 */
public record QueueState(
        String queue,
        int waiting,
        @Nullable Duration oldestWaits,
        @Nullable Pause pause) {
    /** How far the jobs that wait in one lane are counted. */
    public static final int COUNTED_MAX = 10_000;

    /**
     * A pause that holds.
     *
     * @param since when it was asked for
     * @param by    who did so
     * @param why   the reason; null if none was given
     * @param until when it ends by itself; null if it does not
     */
    public record Pause(
            Instant since,
            String by,
            @Nullable String why,
            @Nullable Instant until) {}
}
