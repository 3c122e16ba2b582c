package dev.treadle.dashboard.live;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One producer, many listeners, and the latest values kept for those that were away for a moment. A slow listener
 * delays no other: it finds the latest values when it comes back. Thread-safe.
 *
 * @param <T> what is published
 */
public final class Hub<T> {
    /** Values kept. */
    public static final int KEPT_MAX = 120;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();
    /** Guarded by {@link #lock}. */
    private final Deque<Numbered<T>> kept = new ArrayDeque<>();
    /** Guarded by {@link #lock}. */
    private long lastNumber;
    /** Guarded by {@link #lock}. */
    private boolean closed;

    /** Publishes to all listeners. */
    public void publish(T value) {
        lock.lock();
        try {
            kept.addLast(new Numbered<>(++lastNumber, value));
            if (kept.size() > KEPT_MAX) {
                kept.removeFirst();
            }
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The number of the latest value. */
    public long latest() {
        lock.lock();
        try {
            return lastNumber;
        } finally {
            lock.unlock();
        }
    }

    /** Whether everything after that number is still kept. */
    public boolean knows(long number) {
        lock.lock();
        try {
            return number <= lastNumber && number >= lastNumber - kept.size();
        } finally {
            lock.unlock();
        }
    }

    /** Values after that number; waits for one if there is none. Empty when the time is over. */
    public List<Numbered<T>> after(long number, long millis) throws InterruptedException {
        long left = TimeUnit.MILLISECONDS.toNanos(millis);
        lock.lock();
        try {
            while (lastNumber <= number && !closed && left > 0) {
                left = news.awaitNanos(left);
            }
            return kept.stream().filter(value -> value.number > number).toList();
        } finally {
            lock.unlock();
        }
    }

    /** Whether there will be no more. */
    public boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Wakes all who wait; there will be no more. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** A value and its place. */
    public record Numbered<T>(long number, T value) {}
}
