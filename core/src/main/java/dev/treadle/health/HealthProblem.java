package dev.treadle.health;

import dev.treadle.health.Verdict.Level;
import dev.treadle.job.JobId;
import org.jspecify.annotations.Nullable;

/**
 * Something that is wrong.
 *
 * @param rule     which rule found it
 * @param level    how bad it is
 * @param sentence what is the case
 * @param fix      what to do
 * @param job      the job it is about; null if it is about none in particular
 */
public record HealthProblem(
        Rule rule,
        Level level,
        String sentence,
        String fix,
        @Nullable JobId job) {
    /** What is looked for. */
    public enum Rule {
        /** The storage does not answer. */
        STORAGE_DOWN("storage-down"),
        /** Jobs are there, and no server that would run them. */
        NO_SERVER("no-server"),
        /** The server of this process has stopped. */
        SERVER_STOPPED("server-stopped"),
        /** A due job has waited for long. */
        FALLING_BEHIND("falling-behind"),
        /** Many jobs of the last five minutes failed. */
        FAILING("failing"),
        /** A server sends no heartbeat. */
        SERVER_SILENT("server-silent"),
        /** Jobs are put aside, because no server knows what they call. */
        PARKED("parked"),
        /** Runs go on although they were told to end. */
        STILL_RUNNING("still-running"),
        /** A queue is paused. */
        QUEUE_PAUSED("queue-paused"),
        /** The heap of this process is nearly full. */
        HEAP_FULL("heap-full");

        private final String id;

        Rule(String id) {
            this.id = id;
        }

        /** Its name for machines, such as {@code falling-behind}: it stays the same. */
        public String id() {
            return id;
        }
    }
}
