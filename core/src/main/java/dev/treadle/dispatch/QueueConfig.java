package dev.treadle.dispatch;

import org.jspecify.annotations.Nullable;

/**
 * How the jobs of one queue run on this node.
 *
 * @param queue  its name
 * @param limit  how many of them may run at once; null if only the executor's permits say
 * @param weight its share beside the others on the same executor
 * @param crew   where they run
 */
public record QueueConfig(String queue, @Nullable Integer limit, int weight, WorkerPool crew) {}
