package dev.treadle.health.rules;

import dev.treadle.job.StateName;
import dev.treadle.storage.admin.FailureGroup;
import dev.treadle.storage.admin.JobSearch.NodeSeen;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the rules look at.
 *
 * @param outage    that the storage does not answer; null if it does
 * @param counts    jobs in each state
 * @param oldest    how long the job has waited that came due first; null if none waits
 * @param nodes     the nodes that were seen; null if the storage does not tell
 * @param recent    what ended in the last five minutes
 * @param overrides queues that are paused, and runs that were told to end
 * @param self      how this process stands
 */
public record HealthFacts(
        @Nullable Outage outage,
        Map<StateName, Long> counts,
        @Nullable Duration oldest,
        @Nullable List<NodeSeen> nodes,
        Recent recent,
        OperatorOverrides.Standing overrides,
        Self self) {
    /** Nothing but that the storage does not answer. */
    public static HealthFacts unanswered(Outage outage) {
        return new HealthFacts(
                outage,
                Map.of(),
                null,
                List.of(),
                Recent.NOTHING,
                OperatorOverrides.Standing.NONE,
                new Self(false, 0, 0));
    }

    long count(StateName state) {
        return counts.getOrDefault(state, 0L);
    }

    /**
     * The storage does not answer.
     *
     * @param since for how long it has not
     * @param why   a sentence on what happened instead
     */
    public record Outage(Duration since, String why) {
        /**
         * The storage threw this. The class alone is told, because the message may hold names of hosts and users.
         *
         * @param since for how long it has not answered
         */
        public static Outage of(Throwable thrown, Duration since) {
            Throwable cause = thrown.getCause() == null ? thrown : thrown.getCause();
            return new Outage(since, "It said: " + cause.getClass().getSimpleName() + ".");
        }
    }

    /**
     * What ended in the last five minutes.
     *
     * @param succeeded jobs that succeeded
     * @param failed    jobs that failed for good
     * @param failures  jobs that are Failed, by cause; may be empty where few of the last five minutes are
     */
    public record Recent(long succeeded, long failed, List<FailureGroup> failures) {
        static final Recent NOTHING = new Recent(0, 0, List.of());
    }

    /**
     * This process.
     *
     * @param serverStopped whether it has a server that has stopped
     * @param heapUsed      how much of its heap is in use, in bytes
     * @param heapMax       how large its heap may become, in bytes; not positive if there is no limit
     */
    public record Self(boolean serverStopped, long heapUsed, long heapMax) {
        /** This process, as its JVM tells it. */
        public static Self ofThisJvm(boolean serverStopped) {
            Runtime jvm = Runtime.getRuntime();
            return new Self(serverStopped, jvm.totalMemory() - jvm.freeMemory(), jvm.maxMemory());
        }
    }
}
