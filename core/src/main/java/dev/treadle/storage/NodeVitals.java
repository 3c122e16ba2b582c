package dev.treadle.storage;

/**
 * How the machine of a node stands, at one moment.
 *
 * @param heapUsed in bytes
 * @param heapSize what the process holds of the machine for its heap, in bytes
 * @param heapMax  what it may hold, in bytes; not positive if there is no limit
 * @param cpu      the process's share of all processors, 0 to 1; negative if that is not known
 * @param gcMillis time spent collecting garbage since the process began
 * @param threads  platform threads
 * @param running  jobs that run
 */
public record NodeVitals(
        long heapUsed, long heapSize, long heapMax, double cpu, long gcMillis, int threads, int running) {}
