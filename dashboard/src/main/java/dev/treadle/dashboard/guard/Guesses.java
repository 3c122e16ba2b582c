package dev.treadle.dashboard.guard;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How often passwords were tried, for each address and name. A try is counted before it is checked, so that many at
 * once are no more than one after the other. Names share a few counters, and outsiders cannot see which: a client who
 * tries many names does not get as many tries for each, and does not learn whether one exists. Thread-safe.
 */
final class Guesses {
    /** Wrong passwords in a row before one has to wait. */
    static final int FAILURES_MAX = 5;
    /** How long. */
    static final Duration WAIT = Duration.ofSeconds(30);
    /** Counters of one address. */
    static final int COUNTERS = 16;

    private static final int REMEMBERED_MAX = 10_000;

    private final InstantSource time;
    private final int seed = new SecureRandom().nextInt();
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by {@link #lock}. */
    private final Map<Key, Tries> tries = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Tries> eldest) {
            return size() > REMEMBERED_MAX;
        }
    };

    Guesses(InstantSource time) {
        this.time = time;
    }

    /** Counts a try; false if too many went wrong and this one is not to be checked. */
    boolean mayTry(String remote, String name) {
        Key key = key(remote, name);
        lock.lock();
        try {
            Instant now = time.instant();
            Tries before = tries.get(key);
            boolean fresh = before == null || !now.isBefore(before.last.plus(WAIT));
            if (!fresh && before.count >= FAILURES_MAX) {
                return false;
            }
            tries.put(key, new Tries(fresh ? 1 : before.count + 1, now));
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** It was right. */
    void forget(String remote, String name) {
        lock.lock();
        try {
            tries.remove(key(remote, name));
        } finally {
            lock.unlock();
        }
    }

    private Key key(String remote, String name) {
        // spread by a seed of this process, or names could be chosen that share a counter
        int spread = (name.hashCode() ^ seed) * 0x9E3779B1;
        return new Key(remote, Math.floorMod(spread >>> 7, COUNTERS));
    }

    private record Key(String remote, int counter) {}

    private record Tries(int count, Instant last) {}
}
