package dev.treadle.benchmark;

/** The published experiments on threads, as they are repeated here on Treadle's executors. */
enum LoomExperiment {
    E2_SLEEP(
            "loom-e2-sleep-100ms",
            "published (Trendyol, 2023): 100,000 tasks of 100 ms: pool of 64: 161.956 s, virtual threads: 0.672 s (241 x)"),
    E2_COROUTINES(
            "loom-e2-coroutines",
            "published (Trendyol, 2023): 10,000 coroutines of delay(100): Dispatchers.IO 0.223 s, on virtual threads 0.183 s"),
    E3_PARKED(
            "loom-e3-parked",
            "published (Okta, 2022): 32,539 platform threads until the JVM gave up, 14,625,956 virtual threads parked. Here"
                    + " each stops at 1,024 MB of resident memory, platform threads at 20,000 too"),
    E3_SLEEP(
            "loom-e3-sleep-1s",
            "published (Okta, 2022): 100,000 tasks of 1 s: thread per task 18.77 s (744 MB), cached pool 11.52 s"
                    + " (2,216 MB), virtual 2.62 s (350 MB). Here -Xmx1g and at most 20,000 platform threads at once; our"
                    + " pool is bounded, so its floor is tasks / threads x 1 s"),
    E5_CREATE(
            "loom-e5-create",
            "published (DZone + Fibry, 2019): in 210 ms 3,000 threads were created, or about 200,000 fibers (70 x). jobs/s are threads/s"),
    E5_PING_PONG("loom-e5-ping-pong", "published (2019): 250,000 ping-pongs: threads 4.7 s, fibers 1.5 s (3 x)"),
    E5_MESSAGES(
            "loom-e5-messages",
            "published (2019): asynchronous messages: threads 8.5 million/s, fibers 7.5 million/s. jobs/s are messages/s"),
    E5_HTTP(
            "loom-e5-http",
            "published (2019): 50,000 keep-alive requests from 100 clients: threads 11,000/s, fibers 24,000/s. Here the server"
                    + " is the JDK's with each request on the executor, the clients are in the same process, jobs/s are requests/s");

    private final String workload;
    private final String published;

    LoomExperiment(String workload, String published) {
        this.workload = workload;
        this.published = published;
    }

    String workload() {
        return workload;
    }

    /** What others have measured, and who. */
    String published() {
        return published;
    }
}
