package dev.treadle.admission;

import dev.treadle.job.ResourceUse;
import dev.treadle.job.Uses;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The permits of all resources of one node. First come, first served: a request joins the queues of all resources it needs at
 * once and is granted all of them together, so that no code holds one resource while it waits for another of the same
 * request. Thread-safe.
 */
public final class Resources {
    /** How many undeclared resources are counted separately; further ones are counted together. */
    static final int UNKNOWN_MAX = 100;

    private static final String OTHERS = "(others)";

    private static final Logger LOG = LoggerFactory.getLogger(Resources.class);

    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by {@link #lock}, with all that is in them. */
    private final Map<String, ResourcePool> pools = new LinkedHashMap<>();

    /** Permits became free, but there was no memory to grant waiting requests. */
    private boolean unserved;

    private final int declared;
    private final int heapMegabytes;

    /**
     * @param permits       the permits of each resource. Code that holds a resource may ask for those that follow it
     * @param heapMegabytes how many MiB of heap jobs may estimate in total, if the heap is not among the resources
     */
    public Resources(Map<String, Integer> permits, int heapMegabytes) {
        this.heapMegabytes = heapMegabytes;
        permits.forEach((name, total) -> pools.put(name, new ResourcePool(name, total, pools.size())));
        this.declared = pools.size();
    }

    /** No resources except the heap. */
    public static Resources none() {
        return new Resources(Map.of(), 1);
    }

    /** A request for permits that does not block a thread. */
    public interface PendingAcquire {
        /** Whether it has been granted; from then on the permits are held. */
        boolean isGranted();

        /** Withdraws the request, and gives back its permits if it was granted. */
        void leave();
    }

    /**
     * Takes the same permits several times, as often as they are free and no request waits for them.
     *
     * @return how often they were taken, 0 to {@code times}
     */
    public int tryTake(Map<String, Integer> uses, int times) {
        lock.lock();
        try {
            Map<ResourcePool, Integer> needs = needs(uses);
            int free = times;
            for (Map.Entry<ResourcePool, Integer> need : needs.entrySet()) {
                free = need.getKey().queue.isEmpty()
                        ? Math.min(free, need.getKey().timesFree(need.getValue()))
                        : 0;
            }
            int taken = Math.max(0, free);
            needs.forEach((pool, amount) -> pool.take((long) amount * taken));
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Requests permits without waiting for them.
     *
     * @param onGranted called when the request is granted, on the thread that made room; must be quick
     */
    public PendingAcquire request(Map<String, Integer> uses, Runnable onGranted) {
        AcquireRequest request = join(uses, onGranted);
        return new PendingAcquire() {
            @Override
            public boolean isGranted() {
                return isHeld(request);
            }

            @Override
            public void leave() {
                withdraw(request);
            }
        };
    }

    private AcquireRequest join(Map<String, Integer> uses, Runnable onGranted) {
        lock.lock();
        try {
            AcquireRequest request = new AcquireRequest(needs(uses), onGranted);
            request.join();
            serve(request.needs.keySet());
            return request;
        } finally {
            lock.unlock();
        }
    }

    private boolean isHeld(AcquireRequest request) {
        lock.lock();
        try {
            if (unserved) {
                Deque<ResourcePool> all = new ArrayDeque<>(pools.values());
                unserved = false;
                serveOrPostpone(all);
            }
            return request.isGranted();
        } finally {
            lock.unlock();
        }
    }

    private void withdraw(AcquireRequest request) {
        lock.lock();
        try {
            if (request.isGranted()) {
                request.needs.forEach((pool, amount) -> pool.giveBack(amount));
            } else {
                request.leave();
            }
            serve(request.needs.keySet());
        } finally {
            lock.unlock();
        }
    }

    /** Gives back permits that were taken {@code times} times. */
    public void giveBack(Map<String, Integer> uses, int times) {
        lock.lock();
        try {
            // allocate first: a caller that gets an OutOfMemoryError tries again
            Map<ResourcePool, Integer> needs = needs(uses);
            Deque<ResourcePool> changed = new ArrayDeque<>(needs.keySet());
            for (Map.Entry<ResourcePool, Integer> need : needs.entrySet()) {
                need.getKey().giveBack((long) need.getValue() * times);
            }
            serveOrPostpone(changed);
        } finally {
            lock.unlock();
        }
    }

    /** Grants waiting requests. If memory runs out, the next thread that checks a request does it. */
    private void serveOrPostpone(Deque<ResourcePool> changed) {
        try {
            serveAll(changed);
        } catch (OutOfMemoryError e) {
            unserved = true;
        }
    }

    /** Grants requests after something has changed in these pools. */
    private static void serve(Collection<ResourcePool> changed) {
        serveAll(new ArrayDeque<>(changed));
    }

    private static void serveAll(Deque<ResourcePool> left) {
        for (ResourcePool pool; (pool = left.poll()) != null; ) {
            if (!pool.queue.isEmpty()) {
                AcquireRequest first = pool.queue.iterator().next();
                if (first.isGrantable()) {
                    first.grant();
                    // the next request may be granted what is left
                    left.addAll(first.needs.keySet());
                }
            }
        }
    }

    private Map<ResourcePool, Integer> needs(Map<String, Integer> uses) {
        Map<ResourcePool, Integer> needs = new LinkedHashMap<>();
        uses.forEach((name, amount) -> {
            ResourcePool pool = pool(name);
            needs.put(pool, pool.bounded(amount));
        });
        return needs;
    }

    private ResourcePool pool(String name) {
        ResourcePool known = pools.get(name);
        if (known != null) {
            return known;
        }
        return name.equals(Uses.HEAP) ? heap() : unknown(name);
    }

    private ResourcePool heap() {
        ResourcePool heap = new ResourcePool(Uses.HEAP, heapMegabytes, ResourcePool.BEFORE_ALL);
        pools.put(heap.name, heap);
        return heap;
    }

    private ResourcePool unknown(String name) {
        String counted = pools.size() < declared + UNKNOWN_MAX ? name : OTHERS;
        return pools.computeIfAbsent(counted, unseen -> {
            LOG.warn(
                    "A job uses the resource '{}', which is not declared on this node, so jobs do not wait for it here."
                            + " Declare it with JobServerSettings.withResource(\"{}\", permits), or correct the name.",
                    name,
                    name);
            return new ResourcePool(counted, ResourcePool.UNLIMITED, Integer.MAX_VALUE);
        });
    }

    /**
     * The place of a resource among the declared ones, from 0; {@link ResourcePool#BEFORE_ALL} for a heap that was not declared;
     * {@link Integer#MAX_VALUE} if no job ever waits for the resource.
     */
    int rankOf(String name) {
        lock.lock();
        try {
            ResourcePool pool = name.equals(Uses.HEAP) ? pool(name) : pools.get(name);
            return pool == null ? Integer.MAX_VALUE : pool.rank;
        } finally {
            lock.unlock();
        }
    }

    /** The use of each resource: the declared ones, then others that jobs have named. */
    public List<ResourceUse> use() {
        lock.lock();
        try {
            List<ResourceUse> all = new ArrayList<>();
            pools.values().forEach(pool -> all.add(pool.use()));
            return all;
        } finally {
            lock.unlock();
        }
    }
}
