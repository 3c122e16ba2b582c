package dev.treadle.job;

import java.util.List;

/**
 * The stack of one thread of a running job at one moment.
 *
 * @param name   {@code job-<id>} for the job's own, {@code job-<id>/<fork>} for a fork's, as in a thread dump
 * @param frames innermost first
 */
public record ThreadStack(String name, List<StackTraceElement> frames) {
    /** Copies the list. */
    public ThreadStack {
        frames = List.copyOf(frames);
    }

    /** The present stack of a thread. */
    public static ThreadStack of(String name, Thread thread) {
        return new ThreadStack(name, List.of(thread.getStackTrace()));
    }
}
