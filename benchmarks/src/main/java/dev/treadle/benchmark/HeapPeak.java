package dev.treadle.benchmark;

/**
 * The most heap that was used while it watched, by looking often. Why not the pools' own peaks: they are not reached at
 * the same time, and their sum may be more than the heap is.
 */
final class HeapPeak implements AutoCloseable {
    private static final int EVERY_MILLIS = 10;

    private final Thread watcher = new Thread(this::watch, "heap-peak");
    private volatile long peak;
    private volatile boolean closed;

    HeapPeak() {
        watcher.setDaemon(true);
        watcher.start();
    }

    private void watch() {
        try {
            while (!closed) {
                look();
                Thread.sleep(EVERY_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        Runtime runtime = Runtime.getRuntime();
        peak = Math.max(peak, runtime.totalMemory() - runtime.freeMemory());
    }

    /** In bytes. */
    long bytes() {
        return peak;
    }

    @Override
    public void close() {
        closed = true;
    }
}
