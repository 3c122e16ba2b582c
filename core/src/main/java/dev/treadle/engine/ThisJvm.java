package dev.treadle.engine;

import dev.treadle.maintenance.NodeMetrics;
import dev.treadle.storage.NodeVitals;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.lang.management.RuntimeMXBean;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The JVM of this process, read through its management beans. They are looked up at the first call, because that takes
 * longer than a job. For one thread.
 */
final class ThisJvm implements NodeMetrics.Machine {
    private @Nullable Map<String, String> facts;
    private long cpuThen = -1;
    private long then;

    @Override
    public NodeVitals vitals(int running) {
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        long gc = collectors().stream()
                .mapToLong(collector -> Math.max(0, collector.getCollectionTime()))
                .sum();
        return new NodeVitals(
                heap.getUsed(),
                heap.getCommitted(),
                heap.getMax(),
                cpu(),
                gc,
                ManagementFactory.getThreadMXBean().getThreadCount(),
                running);
    }

    private static List<GarbageCollectorMXBean> collectors() {
        return ManagementFactory.getGarbageCollectorMXBeans();
    }

    /** The share since the last call on this object: the JVM's own figure starts at the last call of any caller. */
    private double cpu() {
        if (!(ManagementFactory.getOperatingSystemMXBean()
                instanceof com.sun.management.OperatingSystemMXBean system)) {
            return -1;
        }
        long cpu = system.getProcessCpuTime();
        long now = System.nanoTime();
        double share = cpuThen < 0 || cpu < 0 || now <= then
                ? -1
                : Math.min(1, (cpu - cpuThen) / ((double) (now - then) * system.getAvailableProcessors()));
        cpuThen = cpu;
        then = now;
        return share;
    }

    @Override
    public Map<String, String> facts() {
        Map<String, String> known = facts;
        if (known == null) {
            RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
            known = new LinkedHashMap<>();
            known.put("jdk", Runtime.version().toString());
            known.put("vm", String.valueOf(runtime.getVmName()));
            known.put("pid", Long.toString(ProcessHandle.current().pid()));
            known.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
            known.put(
                    "collectors",
                    collectors().stream().map(GarbageCollectorMXBean::getName).collect(Collectors.joining(", ")));
            known.put("startedAt", Instant.ofEpochMilli(runtime.getStartTime()).toString());
            facts = known;
        }
        return known;
    }
}
