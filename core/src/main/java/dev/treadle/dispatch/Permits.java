package dev.treadle.dispatch;

import java.util.concurrent.atomic.AtomicInteger;

/** Permits to start jobs. They alone limit how many run at once, whatever the executor. Thread-safe. */
public final class Permits {
    private final AtomicInteger taken = new AtomicInteger();
    private final int total;
    /** How many may be taken now; at most the total. */
    private volatile int ceiling;

    /** @param total how many jobs may run at once */
    public Permits(int total) {
        this.total = total;
        this.ceiling = total;
    }

    /** Takes one if there is one. */
    public boolean tryTake() {
        int now = taken.get();
        while (now < ceiling) {
            if (taken.compareAndSet(now, now + 1)) {
                return true;
            }
            now = taken.get();
        }
        return false;
    }

    /** Returns one that was taken. */
    public void giveBack() {
        taken.decrementAndGet();
    }

    /** The highest number of jobs that may run at once. */
    public int total() {
        return total;
    }

    /** How many jobs may run at once now. */
    int ceiling() {
        return ceiling;
    }

    /** Sets how many jobs may run at once from now on: at least one, at most the total. Running jobs go on. */
    void limitTo(int jobs) {
        ceiling = Math.max(1, Math.min(jobs, total));
    }

    /** How many permits are taken now. */
    public int taken() {
        return taken.get();
    }
}
