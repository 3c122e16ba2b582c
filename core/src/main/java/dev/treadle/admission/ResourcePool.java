package dev.treadle.admission;

import dev.treadle.job.ResourceUse;
import java.util.LinkedHashSet;
import java.util.Set;

/** The permits of one resource. Guarded by the lock of its {@link Resources}. */
final class ResourcePool {
    static final int UNLIMITED = Integer.MAX_VALUE;
    /** The rank of a heap that was not declared: jobs that hold it as a whole may ask for any other resource. */
    static final int BEFORE_ALL = -1;

    final String name;
    final int total;
    /** Its place among the declared resources: code that holds it may ask for those declared after it. */
    final int rank;
    /** Requests in the order in which they were made. */
    final Set<AcquireRequest> queue = new LinkedHashSet<>();

    private long used;

    ResourcePool(String name, int total, int rank) {
        this.name = name;
        this.total = total;
        this.rank = rank;
    }

    /** The amount that is granted: a request for more than the total gets the total, and nothing else runs beside it. */
    int bounded(int amount) {
        return Math.min(amount, total);
    }

    boolean fits(int amount) {
        return total == UNLIMITED || used + amount <= total;
    }

    /** How many times an amount fits. */
    int timesFree(int amount) {
        return total == UNLIMITED ? Integer.MAX_VALUE : (int) ((total - used) / amount);
    }

    void take(long amount) {
        used += amount;
    }

    void giveBack(long amount) {
        used -= amount;
    }

    ResourceUse use() {
        return new ResourceUse(name, total == UNLIMITED ? null : total, used, queue.size());
    }
}
