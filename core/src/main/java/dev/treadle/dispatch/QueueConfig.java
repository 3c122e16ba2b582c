package dev.treadle.dispatch;

import org.jspecify.annotations.Nullable;

/**
 * The settings of one queue on this node.
 *
 * @param queue  the queue's name
 * @param limit  how many of its jobs may run at once; null if only the executor's permits limit them
 * @param weight its share relative to the other queues on the same executor
 * @param pool   runs its jobs
 */
public record QueueConfig(String queue, @Nullable Integer limit, int weight, WorkerPool pool) {}
