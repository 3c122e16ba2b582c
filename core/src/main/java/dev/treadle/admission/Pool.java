package dev.treadle.admission;

import dev.treadle.job.ResourceUse;
import java.util.LinkedHashSet;
import java.util.Set;

/** The permits of one resource. Guarded by the lock of its {@link Resources}. */
final class Pool {
    static final int UNLIMITED = Integer.MAX_VALUE;
    /** The rank of a heap that was not declared: jobs estimate it as a whole, and then ask for parts of anything. */
    static final int BEFORE_ALL = -1;

    final String name;
    final int total;
    /** Its place among the resources that were declared: who holds it may ask for those after it. */
    final int rank;
    /** In the order in which they came. */
    final Set<Waiter> line = new LinkedHashSet<>();

    private long used;

    Pool(String name, int total, int rank) {
        this.name = name;
        this.total = total;
        this.rank = rank;
    }

    /** What a wish comes to: who asks for more than there is gets all there is, and is alone with it. */
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
        return new ResourceUse(name, total == UNLIMITED ? null : total, used, line.size());
    }
}
