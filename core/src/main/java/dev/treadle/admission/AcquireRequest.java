package dev.treadle.admission;

import java.util.Map;

/** A request that waits in the queues of all the resources it needs. Guarded by the lock of its {@link Resources}. */
final class AcquireRequest {
    final Map<ResourcePool, Integer> needs;
    private final Runnable onGranted;
    private boolean granted;

    /** @param onGranted called under the lock; must be quick */
    AcquireRequest(Map<ResourcePool, Integer> needs, Runnable onGranted) {
        this.needs = needs;
        this.onGranted = onGranted;
    }

    boolean isGranted() {
        return granted;
    }

    void join() {
        needs.keySet().forEach(pool -> pool.queue.add(this));
    }

    void leave() {
        needs.keySet().forEach(pool -> pool.queue.remove(this));
    }

    /** Whether it is first in all of its queues and everything it needs is free. */
    boolean isGrantable() {
        return needs.entrySet().stream()
                .allMatch(need -> need.getKey().queue.iterator().next() == this
                        && need.getKey().fits(need.getValue()));
    }

    void grant() {
        leave();
        needs.forEach(ResourcePool::take);
        granted = true;
        onGranted.run();
    }
}
