package dev.treadle.spring;

/** Stops on a thread of its own, because Spring bounds how long it waits for the answer, and not how long the call takes. */
final class StopThread {
    private StopThread() {}

    static void run(String name, Runnable stop, Runnable answer) {
        Thread thread = new Thread(
                () -> {
                    try {
                        stop.run();
                    } finally {
                        answer.run();
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }
}
