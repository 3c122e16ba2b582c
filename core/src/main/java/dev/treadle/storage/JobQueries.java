package dev.treadle.storage;

import dev.treadle.job.JobId;
import dev.treadle.job.JobStory;
import dev.treadle.job.StateName;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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

    /** Most ids that one call of {@link #states} takes, in jobs. */
    int STATES_MAX = 10_000;

    /**
     * Jobs with a label, newest first by their ids.
     *
     * @param before only jobs with smaller ids, to continue after a page; null for the first page
     * @param max    most ids to give, 1 to {@link #LABELLED_MAX}
     */
    List<JobId> labelled(String label, @Nullable JobId before, int max);

    /** Most ids that one call of {@link #labelled} gives, in jobs. */
    int LABELLED_MAX = 1_000;
}
