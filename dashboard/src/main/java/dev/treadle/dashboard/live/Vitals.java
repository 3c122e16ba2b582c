package dev.treadle.dashboard.live;

/**
 * How a JVM stands, at one moment.
 *
 * @param t             milliseconds since 1970
 * @param heapUsed      in bytes
 * @param heapSize      what the JVM holds of the machine for it, in bytes
 * @param heapMax       what it may hold, in bytes
 * @param cpu           this process's share of all processors, 0 to 1; negative if the JVM does not tell
 * @param gcMillis      time spent collecting since the JVM began
 * @param threads       platform threads
 * @param running       jobs that run
 */
public record Vitals(
        long t, long heapUsed, long heapSize, long heapMax, double cpu, long gcMillis, int threads, int running) {}
