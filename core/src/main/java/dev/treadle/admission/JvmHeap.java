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
 * Reads this JVM's heap from its management beans. On JDK 17 and 25, ZGC and Shenandoah report after each collection or cycle
 * what is left in the whole heap. G1, Serial and Parallel report this for the old generation only after collecting it.
 */
public final class JvmHeap {
    private static final String G1_OLD = "G1 Old Gen";

    private final List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
    private final List<MemoryPoolMXBean> pools;
    /** Memory pools that some collections leave out. */
    private final Set<MemoryPoolMXBean> rarelyCollected = new HashSet<>();

    /** The heap of this process. */
    public JvmHeap() {
        pools = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP && pool.getCollectionUsage() != null)
                .toList();
        int most = pools.stream().mapToInt(JvmHeap::managers).max().orElse(0);
        pools.stream().filter(pool -> managers(pool) == 1 && most > 1).forEach(rarelyCollected::add);
    }

    private static int managers(MemoryPoolMXBean pool) {
        return (int) Arrays.stream(pool.getMemoryManagerNames()).distinct().count();
    }

    /** Whether a collector covers all pools. */
    private boolean isThorough(GarbageCollectorMXBean collector) {
        return Arrays.asList(collector.getMemoryPoolNames())
                .containsAll(
                        rarelyCollected.stream().map(MemoryPoolMXBean::getName).toList());
    }

    /**
     * Whether the last collection may have left out this pool. G1 lists its old generation, where large objects are allocated,
     * as managed by young collections, but those do not report it.
     */
    private boolean mayBeOutdated(MemoryPoolMXBean pool) {
        return rarelyCollected.contains(pool) || pool.getName().equals(G1_OLD);
    }

    /** Reads the heap now. */
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
