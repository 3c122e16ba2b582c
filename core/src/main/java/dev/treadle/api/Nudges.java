package dev.treadle.api;

import dev.treadle.job.Lane;
import java.util.function.Consumer;

/**
 * What to tell a server in this process, after a commit. Used by the root package.
 *
 * @param due       jobs may run now
 * @param dueIn     jobs of a lane may run now
 * @param scheduled jobs wait for their time
 * @param paused    a queue was paused or resumed
 */
public record Nudges(Runnable due, Consumer<Lane> dueIn, Runnable scheduled, Runnable paused) {
    /** Where no server is. */
    public static final Nudges NONE = new Nudges(() -> {}, lane -> {}, () -> {}, () -> {});
}
