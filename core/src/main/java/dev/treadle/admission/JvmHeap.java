package dev.treadle.admission;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * This JVM's heap, as its management tells it. Seen on JDK 17 and 25: ZGC and Shenandoah say after each collection or
 * cycle what is left in all of the heap; G1, Serial and Parallel say so of the old part only after they have collected that.
 */
public final class JvmHeap {
    private static final String G1_OLD = "G1 Old Gen";

    private final List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
    private final List<MemoryPoolMXBean> pools;
    /** Parts that some collections leave out. */
    private final Set<MemoryPoolMXBean> seldom = new HashSet<>();

    /** Of this process. */
    public JvmHeap() {
        pools = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP && pool.getCollectionUsage() != null)
                .toList();
        int most = pools.stream().mapToInt(JvmHeap::managers).max().orElse(0);
        pools.stream().filter(pool -> managers(pool) == 1 && most > 1).forEach(seldom::add);
    }

    private static int managers(MemoryPoolMXBean pool) {
        return (int) Arrays.stream(pool.getMemoryManagerNames()).distinct().count();
    }

    /** Whether it leaves out nothing that is collected seldom. */
    private boolean isThorough(GarbageCollectorMXBean collector) {
        return Arrays.asList(collector.getMemoryPoolNames())
                .containsAll(seldom.stream().map(MemoryPoolMXBean::getName).toList());
    }

    /**
     * Whether a collection may have left it out without a word. G1's young ones say nothing of its old part, in which large
     * objects are from the beginning, though it is said to be theirs.
     */
    private boolean mayBeOutdated(MemoryPoolMXBean pool) {
        return seldom.contains(pool) || pool.getName().equals(G1_OLD);
    }

    /** The heap now. */
    public Heap look() {
        MemoryUsage now = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        long live = 0;
        long atMost = 0;
        for (MemoryPoolMXBean pool : pools) {
            long left = pool.getCollectionUsage().getUsed();
            live += left;
            atMost += mayBeOutdated(pool) ? Math.max(left, pool.getUsage().getUsed()) : left;
        }
        long collections = 0;
        long thorough = 0;
        for (GarbageCollectorMXBean collector : collectors) {
            long count = Math.max(0, collector.getCollectionCount());
            collections += count;
            thorough += isThorough(collector) ? count : 0;
        }
        long max = now.getMax() > 0 ? now.getMax() : Runtime.getRuntime().maxMemory();
        return new Heap(max, now.getUsed(), live, atMost, collections, thorough);
    }
}
