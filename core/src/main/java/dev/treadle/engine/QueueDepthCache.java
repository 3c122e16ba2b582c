package dev.treadle.engine;

import dev.treadle.job.QueueState;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How many jobs wait in the queues of the storage, for management tools. The storage is asked only when a tool reads a
 * figure, and at most once in {@link #FRESH_MILLIS}. Thread-safe.
 */
final class QueueDepthCache {
    /** How long an answer is used, in milliseconds. */
    static final long FRESH_MILLIS = 5_000;
    /** The figure while the storage does not answer. */
    static final long UNKNOWN = -1;

    private final Supplier<List<QueueState>> question;
    private final InstantSource time;
    private final ReentrantLock asking = new ReentrantLock();
    private volatile List<QueueState> states = List.of();
    private volatile boolean known;
    private volatile @Nullable Instant askedAt;

    QueueDepthCache(Supplier<List<QueueState>> question, InstantSource time) {
        this.question = question;
        this.time = time;
    }

    /** How many jobs of a queue are due and have not begun. */
    long due(String queue) {
        List<QueueState> now = now();
        return known ? of(now, queue).stream().mapToLong(QueueState::waiting).sum() : UNKNOWN;
    }

    /** For how long the first of them has been due, in milliseconds; 0 if there is none. */
    long oldestMillis(String queue) {
        List<QueueState> now = now();
        return known ? oldest(of(now, queue)) : UNKNOWN;
    }

    long due() {
        List<QueueState> now = now();
        return known ? now.stream().mapToLong(QueueState::waiting).sum() : UNKNOWN;
    }

    long oldestMillis() {
        List<QueueState> now = now();
        return known ? oldest(now) : UNKNOWN;
    }

    private static List<QueueState> of(List<QueueState> states, String queue) {
        return states.stream().filter(one -> one.queue().equals(queue)).toList();
    }

    private static long oldest(List<QueueState> states) {
        return states.stream()
                .map(QueueState::oldestWaits)
                .mapToLong(oldest -> oldest == null ? 0 : Math.max(0, oldest.toMillis()))
                .max()
                .orElse(0);
    }

    private List<QueueState> now() {
        if (isStale() && asking.tryLock()) {
            // other readers get the last answer
            try {
                if (isStale()) {
                    ask();
                }
            } finally {
                asking.unlock();
            }
        }
        return states;
    }

    private boolean isStale() {
        Instant asked = askedAt;
        return asked == null || Duration.between(asked, time.instant()).toMillis() >= FRESH_MILLIS;
    }

    private void ask() {
        try {
            states = question.get();
            known = true;
        } catch (RuntimeException e) {
            // readers get UNKNOWN; the server's chores log what is wrong with the storage
            known = false;
        } finally {
            // after the answer, so that a slow question is not asked again at once
            askedAt = time.instant();
        }
    }
}
