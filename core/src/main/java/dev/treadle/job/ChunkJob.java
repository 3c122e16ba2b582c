package dev.treadle.job;

import org.jspecify.annotations.Nullable;

/**
 * One of the jobs that a {@link ChunkHandler} runs together. Thread-safe.
 *
 * @param <T> the request type
 * @param <R> what the job returns
 */
public interface ChunkJob<T extends JobRequest<R>, R> {
    /** What it was enqueued with. */
    T request();

    /**
     * What it can ask about itself and report: its id, its progress, its steps and so on. The call and its thread are those
     * of all jobs of the chunk, so it spawns no jobs, waits for nothing and {@linkplain JobContext#use uses} nothing by
     * itself, and there is no {@linkplain JobContext#current current} context.
     */
    JobContext context();

    /**
     * The job has done its work, whatever becomes of the others.
     *
     * @param result what it returns; null if it has no result
     * @throws IllegalStateException if it was said before how it ended, or the call has ended
     */
    void succeed(@Nullable R result);

    /** The same without a result. */
    default void succeed() {
        succeed(null);
    }

    /**
     * The job has failed, as if it were alone and had thrown this: it is tried again as its retry policy says, unless this
     * is a {@link GiveUpException}, and runs later if it is a {@link SnoozeException} or a {@link RetryAfterException}.
     *
     * @throws IllegalStateException if it was said before how it ended, or the call has ended
     */
    void fail(Throwable why);
}
