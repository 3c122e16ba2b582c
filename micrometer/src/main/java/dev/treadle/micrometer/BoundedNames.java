package dev.treadle.micrometer;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Names as values of a tag: the first so many as they are, and one word for all others, because a registry keeps each
 * combination of values for good. Thread-safe.
 */
final class BoundedNames {
    private final int max;
    private final String others;
    private final Set<String> own = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();

    BoundedNames(int max, String others) {
        this.max = max;
        this.others = others;
    }

    /** The value for a name. */
    String of(String name) {
        if (own.contains(name)) {
            return name;
        }
        lock.lock();
        try {
            return own.contains(name) || own.size() < max && own.add(name) ? name : others;
        } finally {
            lock.unlock();
        }
    }
}
