package dev.treadle.invoke;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The attempts that one call makes together on one thread. The thread is interrupted when each of those that have not ended
 * was told to: one that is cancelled must not take the others with it. Thread-safe.
 */
public final class ChunkCall {
    /** Those that the call has not ended yet. */
    private final Set<Attempt> open = ConcurrentHashMap.newKeySet();

    private ChunkCall() {}

    /** Puts attempts together that have not begun. */
    public static void of(Collection<Attempt> attempts) {
        ChunkCall call = new ChunkCall();
        call.open.addAll(attempts);
        attempts.forEach(attempt -> attempt.joins(call));
    }

    /** What becomes of an attempt is known: the call does no more for it. */
    void ended(Attempt attempt) {
        open.remove(attempt);
    }

    /** Whether nobody needs the call any more. */
    boolean isToldToEnd() {
        boolean any = false;
        for (Attempt attempt : open) {
            if (attempt.stopReason() == null) {
                return false;
            }
            any = true;
        }
        return any;
    }
}
