package dev.treadle.storage;

import dev.treadle.job.JobId;
import dev.treadle.job.JobStory;
import dev.treadle.job.StateName;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/** What people ask about jobs. No question here changes anything or slows the drain. Thread-safe. */
public interface JobQueries {
    /** One job and everything that has happened to it. */
    Optional<JobStory> find(JobId id);

    /**
     * Where many jobs stand.
     *
     * @param ids at most {@link #STATES_MAX}
     * @return the state of each that is there
     */
    Map<JobId, StateName> states(Collection<JobId> ids);

    /** How many jobs are in each state, every state included; not counted but kept up to date by each write. */
    Map<StateName, Long> counts();

    /** Most ids that one call of {@link #states} takes, in jobs. */
    int STATES_MAX = 10_000;
}
