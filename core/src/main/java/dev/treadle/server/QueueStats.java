package dev.treadle.server;

import org.jspecify.annotations.Nullable;

/**
 * The figures of one queue on this node.
 *
 * @param queue     the queue's name
 * @param executor  the name of the executor that runs its jobs
 * @param held      jobs that are claimed and whose ending is not recorded yet
 * @param waiting   how many of those wait for a permit
 * @param limit     how many of its jobs may run here at once; null if only the executor's permits limit them
 * @param weight    its share relative to the other queues on the same executor
 * @param claimed   jobs claimed since the server started
 * @param completed attempts that completed since then
 * @param failed    attempts that threw since then
 */
public record QueueStats(
        String queue,
        String executor,
        int held,
        int waiting,
        @Nullable Integer limit,
        int weight,
        long claimed,
        long completed,
        long failed) {}
