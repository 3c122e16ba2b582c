package dev.treadle.storage;

import dev.treadle.job.NodeId;

/**
 * Deletes jobs that ended long ago, with all that belongs to them: body, history, results, lines, labels. Thread-safe;
 * several nodes may walk at once, and mostly one does.
 */
public interface Retention {
    /** Most jobs that one step looks at, in jobs. */
    int STEP_MAX = StorageProvider.BATCH_MAX;

    /**
     * Looks at the next jobs, wherever the last step of any node ended, and deletes those that have ended and are old
     * enough by the clock of the storage. A job that is run again at the same time is not deleted.
     *
     * @param node     who walks; for a minute after a step of one node others only watch
     * @param settings which ones to delete
     * @param max      most jobs to look at, 1 to {@link #STEP_MAX}
     */
    Step step(NodeId node, RetentionSettings settings, int max);

    /**
     * What one step did.
     *
     * @param walked  false if another node walks at present, and nothing was done
     * @param deleted how many jobs
     * @param atEnd   all jobs have been looked at, and the next step begins with the first
     */
    record Step(boolean walked, int deleted, boolean atEnd) {}
}
