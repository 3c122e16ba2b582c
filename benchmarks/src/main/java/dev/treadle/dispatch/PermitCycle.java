package dev.treadle.dispatch;

/** Takes a permit and gives it back, which only this package may. For the benchmarks, on the class path. */
public final class PermitCycle {
    private final Permits permits;

    /** @param total how many permits there are */
    public PermitCycle(int total) {
        this.permits = new Permits(total);
    }

    /** Whether there was one. */
    public boolean run() {
        boolean taken = permits.tryTake();
        if (taken) {
            permits.giveBack();
        }
        return taken;
    }
}
