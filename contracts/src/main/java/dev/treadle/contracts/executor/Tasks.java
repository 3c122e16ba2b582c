package dev.treadle.contracts.executor;

import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** A number of tasks that each count how often they ran and on which thread. */
final class Tasks {
    static final int WAIT_SECONDS_MAX = 30;

    private final AtomicIntegerArray runs;
    private final CountDownLatch ran;
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final Queue<String> surprises = new ConcurrentLinkedQueue<>();

    Tasks(int count) {
        runs = new AtomicIntegerArray(count);
        ran = new CountDownLatch(count);
    }

    Runnable task(int index) {
        return () -> {
            threads.add(Thread.currentThread());
            runs.incrementAndGet(index);
            ran.countDown();
        };
    }

    /** A task that holds its thread until {@code release} opens. */
    Runnable taskHeldBy(int index, CountDownLatch begun, CountDownLatch release) {
        Runnable counting = task(index);
        return () -> {
            begun.countDown();
            try {
                if (!release.await(WAIT_SECONDS_MAX, TimeUnit.SECONDS)) {
                    surprises.add("task " + index + " was never released");
                    release.countDown(); // the test has failed by now: the others need not wait as long
                }
            } catch (InterruptedException e) {
                surprises.add("task " + index + " was interrupted, which is the server's part");
            }
            counting.run();
        };
    }

    /** A refused task will not run, so no test waits for it. */
    void refused() {
        ran.countDown();
    }

    /** Waits until each ran or was refused. */
    boolean awaitAll() throws InterruptedException {
        return ran.await(WAIT_SECONDS_MAX, TimeUnit.SECONDS);
    }

    int runsOf(int index) {
        return runs.get(index);
    }

    int count() {
        return runs.length();
    }

    Set<Thread> threads() {
        return threads;
    }

    Queue<String> surprises() {
        return surprises;
    }
}
