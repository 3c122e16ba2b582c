package dev.treadle.benchmark;

import java.io.Serial;
import java.io.Serializable;

/**
 * What each measured job carries, for every contender. Serialised and read back by each contender in its own way.
 *
 * @param number which of the run's jobs this is, from 0
 * @param sentAt when it was meant to be sent, in nanoseconds of {@link System#nanoTime()}, which all processes of one
 *               Linux machine share
 * @param millis how long it blocks, in milliseconds
 */
public record Work(int number, long sentAt, int millis) implements Serializable {
    @Serial
    private static final long serialVersionUID = 1;

    /** Work that does nothing and whose latency nobody asks for. */
    static Work nothing(int number) {
        return new Work(number, 0, 0);
    }
}
