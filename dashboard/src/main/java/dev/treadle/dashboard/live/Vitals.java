package dev.treadle.dashboard.live;

import dev.treadle.storage.NodeMinute;
import dev.treadle.storage.NodeVitals;

/**
 * How a JVM stands, at one moment.
 *
 * @param t             milliseconds since 1970
 * @param heapUsed      in bytes
 * @param heapSize      what the JVM holds of the machine for it, in bytes
 * @param heapMax       what it may hold, in bytes; not positive if there is no limit
 * @param cpu           this process's share of all processors, 0 to 1; negative if the JVM does not report it
 * @param gcMillis      time spent collecting since the JVM began; negative if that is not known
 * @param threads       platform threads
 * @param running       jobs that run
 */
public record Vitals(
        long t, long heapUsed, long heapSize, long heapMax, double cpu, long gcMillis, int threads, int running) {
    private static final long MILLIS = 1_000;

    static Vitals of(long t, NodeVitals told) {
        return new Vitals(
                t,
                told.heapUsed(),
                told.heapSize(),
                told.heapMax(),
                told.cpu(),
                told.gcMillis(),
                told.threads(),
                told.running());
    }

    static Vitals of(NodeMinute minute, long now) {
        return new Vitals(
                Math.min(now, minute.at().toEpochMilli() + NodeMinute.SECONDS * MILLIS),
                minute.heapUsed(),
                minute.heapSize(),
                minute.heapMax(),
                minute.cpu(),
                -1,
                minute.threads(),
                minute.running());
    }

    /** Both as one: the later time, the most of what was seen. */
    Vitals and(Vitals next) {
        return new Vitals(
                next.t,
                Math.max(heapUsed, next.heapUsed),
                Math.max(heapSize, next.heapSize),
                next.heapMax,
                Math.max(cpu, next.cpu),
                next.gcMillis,
                Math.max(threads, next.threads),
                Math.max(running, next.running));
    }
}
