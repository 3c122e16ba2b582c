package dev.treadle.server;

import dev.treadle.job.JobId;
import dev.treadle.job.ResourceUse;
import dev.treadle.job.ThreadStack;
import dev.treadle.storage.NodeInfo;
import java.util.List;

/**
 * A running node: it claims due jobs and runs them until it is closed. It survives any outage of the storage and
 * continues when the storage is back. {@link dev.treadle.Treadle#server()} returns it. Thread-safe.
 */
public interface JobServer extends AutoCloseable {
    /** Returns its state. A server stops by itself if a class that it needs cannot be used. */
    ServerState state();

    /** Looks for due jobs and due recurring jobs now, instead of at the next poll. */
    void nudge();

    /** Returns the identity of this node. */
    NodeInfo self();

    /** Returns how many jobs run now. */
    int running();

    /** Returns how many jobs may run at once, and how the heap guard changed that. */
    ConcurrencyLimit admitted();

    /** Returns the state of each resource of this node: its permits, how many are held, and how many jobs wait for them. */
    List<ResourceUse> resources();

    /** Returns the figures of each queue that this node has settings for or has had a job from. */
    List<QueueStats> queueStats();

    /**
     * Returns the stacks of the threads that run a job: its own thread first, then those of its forks, each followed by
     * its own forks; at most 100 of each run. Empty if the job does not run here.
     */
    List<ThreadStack> stacksOf(JobId id);

    /** Returns how many claimed jobs are not finished: waiting for a permit, running, or about to be recorded. */
    int inFlight();

    /**
     * Claims no more jobs, for good. Gives back those that have not begun, and tells running jobs to stop
     * ({@link dev.treadle.job.JobContext#shouldStop}), which go on. Returns when no claim is under way any more, and does
     * not wait for jobs. {@link #close} begins with the same.
     */
    void stopClaiming();

    /**
     * Stops gracefully. The server claims no more jobs, gives back those that have not begun, and waits for running jobs
     * for {@link JobServerSettings#stopPatience}. It then interrupts the rest and gives them back; that attempt does not
     * count. Its heartbeat stops last. A second close waits for the first. An interrupt of the calling thread ends the
     * wait. A job that closes its own server waits until that time is over, is interrupted, and runs again elsewhere.
     */
    @Override
    void close();
}
