package dev.treadle.example.slip;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryUsage;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/** Looks at the heap and the threads ten times a second, and keeps the peaks. */
final class HeapWatch implements AutoCloseable {
    private static final long LOOK_MILLIS = 100;
    private static final long MEGABYTE = 1 << 20;

    private final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final IntSupplier jobsRunning;
    private final ScheduledExecutorService clock = new ScheduledThreadPoolExecutor(1, task -> {
        Thread thread = new Thread(task, "heap-watch");
        thread.setDaemon(true);
        return thread;
    });
    private volatile long usedPeak;
    private volatile long sizePeak;
    private volatile int runningPeak;

    /** @param jobsRunning how many jobs run now */
    HeapWatch(IntSupplier jobsRunning) {
        this.jobsRunning = jobsRunning;
        threads.resetPeakThreadCount();
        clock.scheduleAtFixedRate(this::look, 0, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void look() {
        MemoryUsage heap = memory.getHeapMemoryUsage();
        usedPeak = Math.max(usedPeak, heap.getUsed());
        sizePeak = Math.max(sizePeak, heap.getCommitted());
        runningPeak = Math.max(runningPeak, jobsRunning.getAsInt());
    }

    /** Used and committed now, in MB: {@code 212/512 MB}. */
    String now() {
        MemoryUsage heap = memory.getHeapMemoryUsage();
        return heap.getUsed() / MEGABYTE + "/" + heap.getCommitted() / MEGABYTE + " MB";
    }

    long sizePeakMegabytes() {
        return sizePeak / MEGABYTE;
    }

    long usedPeakMegabytes() {
        return usedPeak / MEGABYTE;
    }

    int jobsRunningPeak() {
        return runningPeak;
    }

    /** Platform threads only; virtual threads are not counted by the JVM. */
    int platformThreadsPeak() {
        return threads.getPeakThreadCount();
    }

    /** What is still in use after a collection, in MB. */
    long liveMegabytes() {
        memory.gc();
        return memory.getHeapMemoryUsage().getUsed() / MEGABYTE;
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
