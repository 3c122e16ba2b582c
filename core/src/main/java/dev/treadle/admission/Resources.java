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
 * The permits of all resources of one node. First come, first served: who asks joins the lines of all that it needs at
 * once and gets all of it together, so that nobody holds one thing while waiting for another of the same wish.
 * Thread-safe.
 */
public final class Resources {
    /** Most undeclared resources that are counted one by one; the others are counted together. */
    static final int UNKNOWN_MAX = 100;

    private static final String OTHERS = "(others)";

    private static final Logger LOG = LoggerFactory.getLogger(Resources.class);

    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by {@link #lock}, with all that is in them. */
    private final Map<String, Pool> pools = new LinkedHashMap<>();

    /** Something came free, and there was no memory to grant it to those who wait. */
    private boolean unserved;

    private final int declared;
    private final int heapMegabytes;

    /**
     * @param permits       of each resource, in the order in which a job that holds one may ask for others
     * @param heapMegabytes how many MiB jobs may estimate together, if the heap is not among them
     */
    public Resources(Map<String, Integer> permits, int heapMegabytes) {
        this.heapMegabytes = heapMegabytes;
        permits.forEach((name, total) -> pools.put(name, new Pool(name, total, pools.size())));
        this.declared = pools.size();
    }

    /** None but the heap. */
    public static Resources none() {
        return new Resources(Map.of(), 1);
    }

    /** A wish that stands in line, for a caller that has no thread to wait with. */
    public interface PendingAcquire {
        /** Whether it has been granted; from then on it is held. */
        boolean isGranted();

        /** Leaves the line, and gives back what has been granted. */
        void leave();
    }

    /**
     * Takes the same several times, as often as it is free and nobody waits for it.
     *
     * @return how often, 0 to {@code times}
     */
    public int tryTake(Map<String, Integer> uses, int times) {
        lock.lock();
        try {
            Map<Pool, Integer> needs = needs(uses);
            int free = times;
            for (Map.Entry<Pool, Integer> need : needs.entrySet()) {
                free = need.getKey().line.isEmpty()
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
     * Joins the lines.
     *
     * @param onGranted called when it is held, by the thread that made room; must be quick
     */
    public PendingAcquire stand(Map<String, Integer> uses, Runnable onGranted) {
        Waiter waiter = join(uses, onGranted);
        return new PendingAcquire() {
            @Override
            public boolean isGranted() {
                return isHeld(waiter);
            }

            @Override
            public void leave() {
                leaveLine(waiter);
            }
        };
    }

    private Waiter join(Map<String, Integer> uses, Runnable onGranted) {
        lock.lock();
        try {
            Waiter waiter = new Waiter(needs(uses), onGranted);
            waiter.join();
            serve(waiter.needs.keySet());
            return waiter;
        } finally {
            lock.unlock();
        }
    }

    private boolean isHeld(Waiter waiter) {
        lock.lock();
        try {
            if (unserved) {
                Deque<Pool> all = new ArrayDeque<>(pools.values());
                unserved = false;
                serveOrLeaveToOthers(all);
            }
            return waiter.isGranted();
        } finally {
            lock.unlock();
        }
    }

    private void leaveLine(Waiter waiter) {
        lock.lock();
        try {
            if (waiter.isGranted()) {
                waiter.needs.forEach((pool, amount) -> pool.giveBack(amount));
            } else {
                waiter.leave();
            }
            serve(waiter.needs.keySet());
        } finally {
            lock.unlock();
        }
    }

    /** Gives back what was taken so many times. */
    public void giveBack(Map<String, Integer> uses, int times) {
        lock.lock();
        try {
            // first all that takes memory: a caller that hears of its lack tries again
            Map<Pool, Integer> needs = needs(uses);
            Deque<Pool> changed = new ArrayDeque<>(needs.keySet());
            for (Map.Entry<Pool, Integer> need : needs.entrySet()) {
                need.getKey().giveBack((long) need.getValue() * times);
            }
            serveOrLeaveToOthers(changed);
        } finally {
            lock.unlock();
        }
    }

    /** What is free is free even if there is no memory to grant it: the next look at a place does that. */
    private void serveOrLeaveToOthers(Deque<Pool> changed) {
        try {
            serveAll(changed);
        } catch (OutOfMemoryError e) {
            unserved = true;
        }
    }

    /** Grants what can be granted after something has changed in these. */
    private static void serve(Collection<Pool> changed) {
        serveAll(new ArrayDeque<>(changed));
    }

    private static void serveAll(Deque<Pool> left) {
        for (Pool pool; (pool = left.poll()) != null; ) {
            if (!pool.line.isEmpty()) {
                Waiter first = pool.line.iterator().next();
                if (first.mayHave()) {
                    first.grant();
                    // the request that is first now may have what is left
                    left.addAll(first.needs.keySet());
                }
            }
        }
    }

    private Map<Pool, Integer> needs(Map<String, Integer> uses) {
        Map<Pool, Integer> needs = new LinkedHashMap<>();
        uses.forEach((name, amount) -> {
            Pool pool = pool(name);
            needs.put(pool, pool.bounded(amount));
        });
        return needs;
    }

    private Pool pool(String name) {
        Pool known = pools.get(name);
        if (known != null) {
            return known;
        }
        return name.equals(Uses.HEAP) ? heap() : unknown(name);
    }

    private Pool heap() {
        Pool heap = new Pool(Uses.HEAP, heapMegabytes, Pool.BEFORE_ALL);
        pools.put(heap.name, heap);
        return heap;
    }

    private Pool unknown(String name) {
        String counted = pools.size() < declared + UNKNOWN_MAX ? name : OTHERS;
        return pools.computeIfAbsent(counted, unseen -> {
            LOG.warn(
                    "A job uses the resource '{}', which this node does not know: no job waits for it here. Say how much"
                            + " there is with JobServerSettings.withResource(\"{}\", permits), or correct the name.",
                    name,
                    name);
            return new Pool(counted, Pool.UNLIMITED, Integer.MAX_VALUE);
        });
    }

    /**
     * Its place among those that were declared, from 0; {@link Pool#BEFORE_ALL} of a heap that was not;
     * {@link Integer#MAX_VALUE} if nobody ever waits for it.
     */
    int rankOf(String name) {
        lock.lock();
        try {
            Pool pool = name.equals(Uses.HEAP) ? pool(name) : pools.get(name);
            return pool == null ? Integer.MAX_VALUE : pool.rank;
        } finally {
            lock.unlock();
        }
    }

    /** How each stands: those that were declared, then others that jobs have named. */
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
