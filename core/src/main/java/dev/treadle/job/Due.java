package dev.treadle.job;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** When a job may run. */
public sealed interface Due {
    /** The instant that this means at a time of the storage's clock. */
    default Instant from(Instant now) {
        if (this instanceof At at) {
            return at.instant();
        }
        return this instanceof After after ? now.plus(after.delay()) : now;
    }

    /** Now. */
    Due NOW = new Now();

    /** See {@link #NOW}. */
    record Now() implements Due {}

    /** At an instant of the storage's clock; at once if that has passed. */
    record At(Instant instant) implements Due {}

    /** When this much time has passed on the storage's clock; at once if zero or negative. */
    record After(Duration delay) implements Due {}

    /** When the jobs that are put into it have ended: it is a batch. */
    Due BATCH = new Batch();

    /** See {@link #BATCH}. */
    record Batch() implements Due {}

    /**
     * When other jobs have ended. Until then the job is Waiting.
     *
     * @param rule how they must have ended
     * @param jobs different ones, in the order of their ids
     */
    record AfterJobs(AfterRule rule, List<JobId> jobs) implements Due {
        /** Most jobs that one job may run after. */
        public static final int JOBS_MAX = 1_000;

        /**
         * Sorts them, and leaves out those that come twice.
         *
         * @throws IllegalArgumentException if there are none, or more than {@value #JOBS_MAX}
         */
        public AfterJobs {
            jobs = jobs.stream().distinct().sorted().toList();
            if (jobs.isEmpty()) {
                throw new IllegalArgumentException(
                        "A job cannot run after no jobs: give at least one id, or leave" + " after() out.");
            }
            if (jobs.size() > JOBS_MAX) {
                throw new IllegalArgumentException("A job runs after at most " + JOBS_MAX + " others, not "
                        + jobs.size() + ": have some jobs in between run after a part of them each.");
            }
        }

        /** The same with further jobs. */
        public AfterJobs with(Collection<JobId> more) {
            List<JobId> all = new ArrayList<>(jobs);
            all.addAll(more);
            return new AfterJobs(rule, all);
        }
    }
}
