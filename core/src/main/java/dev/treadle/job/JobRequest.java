package dev.treadle.job;

/**
 * A job given as data: usually a record whose components are the arguments. Its {@link JobRequestHandler} runs it, or its
 * {@link ResultHandler} if it returns something.
 *
 * @param <R> what the job returns; {@link Void} if nothing
 */
public interface JobRequest<R> {}
