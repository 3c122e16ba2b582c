package dev.treadle.job;

/**
 * A job given as data: usually a record whose components are the arguments, run by its registered
 * {@link JobRequestHandler}.
 *
 * @param <R> what the job returns; {@link Void} if nothing
 */
public interface JobRequest<R> {}
