package dev.treadle.showdown;

import java.util.List;
import java.util.Map;

/**
 * What was seen of a run at one moment.
 *
 * @param millis   since the run began
 * @param used     bytes of heap in use, garbage included: VisualVM's "Used heap"
 * @param size     bytes of heap that the JVM holds: VisualVM's "Heap size"
 * @param cpuNanos processor time of the process so far
 * @param threads  platform threads alive
 * @param running  jobs that run
 */
record Sample(long millis, long used, long size, long cpuNanos, int threads, int running) {
    static final List<String> NAMES = List.of("ms", "heap_used", "heap_size", "cpu_ns", "threads", "running");

    List<Object> values() {
        return List.of(millis, used, size, cpuNanos, threads, running);
    }

    static Sample of(Map<String, String> row) {
        return new Sample(
                Long.parseLong(row.get("ms")),
                Long.parseLong(row.get("heap_used")),
                Long.parseLong(row.get("heap_size")),
                Long.parseLong(row.get("cpu_ns")),
                Integer.parseInt(row.get("threads")),
                Integer.parseInt(row.get("running")));
    }

    Sample since(long epochMillis) {
        return new Sample(millis - epochMillis, used, size, cpuNanos, threads, running);
    }
}
