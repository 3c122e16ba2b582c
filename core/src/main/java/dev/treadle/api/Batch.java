package dev.treadle.api;

import dev.treadle.job.JobId;
import java.util.stream.Stream;

/**
 * Jobs that were enqueued together, and the job that waits for their end: see {@link JobScheduler#batch(String, Stream)}.
 * Thread-safe.
 */
public interface Batch {
    /**
     * The id of the job that waits for the end of all others. It succeeds when all of them have succeeded, and fails when all
     * have ended and one has not. Run jobs after it with {@link JobOptions#after(JobId...)} and the like.
     */
    JobId id();

    /**
     * The id of one of its jobs.
     *
     * @param ordinal its place in the stream, from 0
     */
    JobId id(long ordinal);

    /** Reads how far its jobs are. */
    Progress progress();

    /**
     * How far the jobs of a batch are.
     *
     * @param jobs      how many there are so far
     * @param complete  whether no more come
     * @param succeeded how many have succeeded
     * @param failed    how many failed for good, were cancelled, or were deleted before they had ended
     */
    record Progress(long jobs, boolean complete, long succeeded, long failed) {
        /** How many have not ended. */
        public long left() {
            return jobs - succeeded - failed;
        }
    }
}
