package dev.treadle.benchmark;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;

/** Parks threads until they take a stated amount of memory: how many fit, without driving the machine into the wall. */
final class ParkedThreads {
    private static final int LOOK_EVERY = 500;
    private static final double MEGABYTE = 1024 * 1024;

    private final ThreadFactory threads;
    private final int megabytes;
    private final int most;

    /**
     * @param megabytes resident memory at which it stops
     * @param most      threads at which it stops anyway, because a machine has other limits too
     */
    ParkedThreads(ThreadFactory threads, int megabytes, int most) {
        this.threads = threads;
        this.megabytes = megabytes;
        this.most = most;
    }

    Sample measure() throws InterruptedException {
        CountDownLatch release = new CountDownLatch(1);
        int parked = 0;
        long from = System.nanoTime();
        try {
            while (parked < most && resident() < megabytes) {
                for (int i = 0; i < LOOK_EVERY; i++) {
                    threads.newThread(() -> {
                                try {
                                    release.await();
                                } catch (InterruptedException e) {
                                    Thread.currentThread().interrupt();
                                }
                            })
                            .start();
                    parked++;
                }
            }
        } catch (OutOfMemoryError e) {
            // the system gave up before the limit; what was reached counts
            System.err.println("Stopped at " + parked + ": " + e.getMessage());
        }
        double seconds = (System.nanoTime() - from) / 1e9;
        double resident = resident();
        release.countDown();
        return Sample.of(Measure.THREADS, parked)
                .with(Measure.RESIDENT, resident)
                .with(Measure.SECONDS_TAKEN, seconds);
    }

    private static double resident() {
        return ProcessTimes.residentPeak(List.of(ProcessHandle.current().pid())) / MEGABYTE;
    }
}
