package dev.treadle.dashboard.live;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.lang.management.RuntimeMXBean;
import java.util.List;
import java.util.function.IntSupplier;

/** This JVM, as its own management reports it. */
final class Jvm {
    private final List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
    private final IntSupplier running;

    Jvm(IntSupplier running) {
        this.running = running;
    }

    Vitals vitals(long t) {
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        long gc = collectors.stream()
                .mapToLong(collector -> Math.max(0, collector.getCollectionTime()))
                .sum();
        return new Vitals(
                t,
                heap.getUsed(),
                heap.getCommitted(),
                heap.getMax(),
                cpu(),
                gc,
                ManagementFactory.getThreadMXBean().getThreadCount(),
                running.getAsInt());
    }

    private static double cpu() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean os
                ? os.getProcessCpuLoad()
                : -1;
    }

    /** What does not change while the process lives. */
    Facts facts() {
        RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
        return new Facts(
                Runtime.version().toString(),
                runtime.getVmName(),
                ProcessHandle.current().pid(),
                Runtime.getRuntime().availableProcessors(),
                collectors.stream().map(GarbageCollectorMXBean::getName).toList(),
                runtime.getStartTime());
    }

    /**
     * @param jdk        its version
     * @param vm         its name
     * @param pid        process id
     * @param processors it may use
     * @param collectors of garbage
     * @param startedAt  milliseconds since 1970
     */
    public record Facts(String jdk, String vm, long pid, int processors, List<String> collectors, long startedAt) {}
}
