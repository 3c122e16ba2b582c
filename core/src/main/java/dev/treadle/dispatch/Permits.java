package dev.treadle.dispatch;

import java.util.concurrent.atomic.AtomicInteger;

/** Leave to start jobs: the only bound on how many run here at once, whatever the executor. Thread-safe. */
public final class Permits {
    private final AtomicInteger taken = new AtomicInteger();
    private final int total;
    /** How many may be taken now; never more than all. */
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

    /** How many jobs may run at once at most. */
    public int total() {
        return total;
    }

    /** How many may run at once for the time being. */
    int ceiling() {
        return ceiling;
    }

    /** Lets so many run at once from now on, at least one and at most all; those that run go on. */
    void limitTo(int jobs) {
        ceiling = Math.max(1, Math.min(jobs, total));
    }

    /** How many of them run now. */
    public int taken() {
        return taken.get();
    }
}
