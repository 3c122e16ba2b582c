package dev.treadle.executor;

/** What an executor gets when it starts.
 *
 * @param workers most jobs that will run at once, 1 to {@value #WORKERS_MAX}
 */
public record ExecutorSettings(int workers) {
    /** Most workers a server may have. */
    public static final int WORKERS_MAX = 100_000;

    /** @throws IllegalArgumentException naming the setting and its range */
    public ExecutorSettings {
        if (workers < 1 || workers > WORKERS_MAX) {
            throw new IllegalArgumentException(
                    "ExecutorSettings.workers is " + workers + " and must be 1 to " + WORKERS_MAX + ".");
        }
    }
}
