package dev.treadle.server;

import dev.treadle.job.Job;
import java.time.Duration;
import java.util.Optional;

/**
 * A server without threads: jobs run on the thread that calls it, one after another, and only then. For tests, where
 * {@code dev.treadle.testing.TreadleTest} wraps it. {@link dev.treadle.Treadle.Builder#startManually} makes one. Its
 * methods wait for each other; a job must not call those that run jobs.
 */
public interface ManualServer extends JobServer {
    /**
     * Makes due what has become due, then runs jobs until so many have run or none can run now.
     *
     * @param max most attempts to run; 0 only makes jobs due
     * @return how many attempts ran
     * @throws IllegalStateException if a job calls it, or the server is closed
     */
    int run(int max);

    /**
     * Returns how long it takes until a scheduled job, a retry or a recurring job is due: zero if one is, empty if there
     * is none.
     */
    Optional<Duration> untilNextDue();

    /**
     * Reads the request of a job as its handler gets it.
     *
     * @throws IllegalArgumentException if the job has no request of that type
     */
    <T> T request(Job job, Class<T> type);
}
