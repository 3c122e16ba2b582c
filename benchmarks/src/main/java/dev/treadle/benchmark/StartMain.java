package dev.treadle.benchmark;

import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * A process whose start is measured: opens a contender on tables that are there, with one job that waits. Its one line
 * says when it came how far. Why so bare: whatever this class loads is charged to the contender.
 */
final class StartMain {
    private static final CountDownLatch RAN = new CountDownLatch(1);
    private static volatile long began;

    private StartMain() {}

    /**
     * In nanoseconds of the clock that all processes of one machine share.
     *
     * @param main    the JVM is up
     * @param opened  the storage is open: pool, checks
     * @param started the call that starts the server has returned
     * @param began   the first job began
     * @param ran     the first job's body has ended
     */
    record Moments(long main, long opened, long started, long began, long ran) {
        static Moments parse(String line) {
            String[] parts = line.split(" ");
            return new Moments(
                    Long.parseLong(parts[1]),
                    Long.parseLong(parts[2]),
                    Long.parseLong(parts[3]),
                    Long.parseLong(parts[4]),
                    Long.parseLong(parts[5]));
        }
    }

    /** @param arguments a {@link Task} */
    public static void main(String[] arguments) {
        long main = System.nanoTime();
        int code = 1;
        try {
            run(arguments, main);
            code = 0;
        } catch (Exception e) {
            e.printStackTrace();
        } finally {
            System.exit(code);
        }
    }

    private static void run(String[] arguments, long main) throws Exception {
        Peer peer = Peer.of(value(arguments, "peer="));
        Consumer<Work> body = new Body();
        try (Database database = new Database(value(arguments, "url="));
                Contender contender = Contenders.of(peer, database, body)) {
            long made = System.nanoTime();
            contender.startWorkers(peer.workers());
            long started = System.nanoTime();
            RAN.await();
            long ran = System.nanoTime();
            long opened = Math.max(made, contender.openedAt());
            System.out.println(Sample.MARK + " " + main + " " + opened + " " + started + " " + began + " " + ran);
            // until told to go: who started it still wants to look at it
            while (System.in.read() != -1) {
                Thread.onSpinWait();
            }
        }
    }

    /** Why not {@link Task#parse}: it loads what only the harness needs. */
    private static String value(String[] arguments, String name) {
        for (String argument : arguments) {
            if (argument.startsWith(name)) {
                return argument.substring(name.length());
            }
        }
        throw new IllegalArgumentException(name);
    }

    private static final class Body implements Consumer<Work> {
        @Override
        public void accept(Work work) {
            began = System.nanoTime();
            RAN.countDown();
        }
    }
}
