package dev.treadle.dispatch;

import java.util.concurrent.Semaphore;

/** Leave to start jobs: the only bound on how many run here at once, whatever the executor. Thread-safe. */
public final class Permits {
    private final Semaphore free;
    private final int total;

    /** @param total how many jobs may run at once */
    public Permits(int total) {
        this.total = total;
        this.free = new Semaphore(total);
    }

    boolean tryTake() {
        return free.tryAcquire();
    }

    /** Takes so many, or none. */
    boolean tryTake(int jobs) {
        return free.tryAcquire(jobs);
    }

    void giveBack() {
        free.release();
    }

    /** How many jobs may run at once. */
    public int total() {
        return total;
    }

    /** How many of them run now. */
    public int taken() {
        return total - free.availablePermits();
    }
}
