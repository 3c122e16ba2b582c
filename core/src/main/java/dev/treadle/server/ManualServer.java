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
     * <p>Jobs that run in {@linkplain dev.treadle.job.ChunkHandler chunks} run together with all others of their type that are
     * due, without waiting for more; the last chunk may exceed {@code max}.
     *
     * @param max most attempts to run; 0 only makes jobs due
     * @return how many attempts ran
     * @throws IllegalStateException if a job calls it, or the server is closed
     */
    int run(int max);

    /**
     * Returns how long it takes until a scheduled job, a retry or a recurring job is due, or a node that {@linkplain #crash
     * crashed} may be judged dead: zero if one is, empty if there is none.
     */
    Optional<Duration> untilNextDue();

    /**
     * Goes on as another node, as if the process of this one had been killed. The job that calls it, if one does, keeps its
     * thread, but nothing of its run is recorded any more, and its lease stays with the dead node. The other node finds out
     * after {@code deadAfter}, in {@link #run} or {@link #rescue}, and gives the job another attempt.
     */
    void crash();

    /**
     * Goes on as another node, as if this one stood still for long. The job that calls it, if one does, continues and
     * records what it does as far as it still holds its lease; {@link #rescue} takes that from it.
     */
    void hang();

    /**
     * Looks for dead nodes among those that crashed or hung, and gives their jobs another attempt. A job may call it.
     *
     * @return how long until it makes sense to look again; empty if none of them holds a job any more
     */
    Optional<Duration> rescue();

    /**
     * Reads the request of a job as its handler gets it.
     *
     * @throws IllegalArgumentException if the job has no request of that type
     */
    <T> T request(Job job, Class<T> type);
}
