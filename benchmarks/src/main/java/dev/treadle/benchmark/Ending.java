package dev.treadle.benchmark;

import java.util.concurrent.CountDownLatch;

/** Whether this process was told to end, by Ctrl-C for example: what fails from then on is nobody's news. */
final class Ending {
    private Ending() {}

    static boolean hasBegun() {
        Thread probe = new Thread(() -> {});
        try {
            Runtime.getRuntime().addShutdownHook(probe);
            Runtime.getRuntime().removeShutdownHook(probe);
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }

    /** Waits for the end, which the thread that cleans up is about to reach. */
    static void await() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
