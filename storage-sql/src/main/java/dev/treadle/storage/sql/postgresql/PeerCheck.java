package dev.treadle.storage.sql.postgresql;

import dev.treadle.job.NodeId;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Whether there is a node of another process to notify. A ring costs PostgreSQL a commit and a lock that all
 * who ring take in turn, and most applications are one process. Thread-safe.
 */
final class PeerCheck {
    /**
     * How long the answer that there is none counts, in milliseconds: so long a node that has just started may go
     * unheeded, which looks for itself when it starts.
     */
    static final long KNOWN_MILLIS = 1_000;

    private final Set<Long> own = ConcurrentHashMap.newKeySet();
    private volatile long askedNanos;
    private volatile boolean noneSeen;

    /** A node of this process, which is told directly. */
    void isHere(NodeId node) {
        own.add(node.value());
    }

    /** It has left. */
    void isNoLongerHere(NodeId node) {
        own.remove(node.value());
    }

    /** Those nodes. */
    Object[] own() {
        return own.toArray();
    }

    /** Whether nobody is known to hear. */
    boolean areKnownToBeNone() {
        return noneSeen && System.nanoTime() - askedNanos < KNOWN_MILLIS * 1_000_000;
    }

    /** What a ring has found out. */
    void answered(boolean any) {
        noneSeen = !any;
        askedNanos = System.nanoTime();
    }
}
