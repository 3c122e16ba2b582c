package dev.treadle.dispatch;

import org.jspecify.annotations.Nullable;

/**
 * How the jobs of one queue stand on this node.
 *
 * @param queue     its name
 * @param executor  what the executor is called that runs them
 * @param held      claimed and not yet written down
 * @param waiting   of those, how many wait for a permit
 * @param limit     how many may run here at once; null if only the executor's permits say
 * @param weight    its share beside the others on the same executor
 * @param claimed   jobs taken since the start of the server
 * @param completed attempts that ended well since then
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
