package dev.treadle.api;

import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.KeyRule;
import dev.treadle.job.RetryPolicy;
import dev.treadle.job.Unique;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Options of a job, besides what it calls. Immutable.
 *
 * @param id     the id to use, for one job only: enqueuing it again changes nothing; null for a new one
 * @param parent derive each job's id from this id and from what the job calls, so that doing the same again under the
 *               same parent changes nothing; null for new ids
 * @param traits what is kept with the job
 * @param unique at most one such job at a time; null if there may be many
 */
public record JobOptions(
        @Nullable JobId id,
        @Nullable JobId parent,
        JobTraits traits,
        @Nullable Unique unique) {
    /** A new id and the {@linkplain JobTraits#DEFAULT default traits}. */
    public static final JobOptions DEFAULT = new JobOptions(null, null, JobTraits.DEFAULT, null);

    /** @throws IllegalArgumentException if there is both an id and a parent */
    public JobOptions {
        if (id != null && parent != null) {
            throw new IllegalArgumentException(
                    "JobOptions have both an id and a parent to derive ids from: give one of the two.");
        }
    }

    /** The same with a given id, for one job. */
    public JobOptions withId(JobId id) {
        return new JobOptions(id, parent, traits, unique);
    }

    /** The same with ids derived from a parent and from what each job calls. */
    public JobOptions withIdsUnder(JobId parent) {
        return new JobOptions(id, parent, traits, unique);
    }

    /** The same with other traits. */
    public JobOptions withTraits(JobTraits traits) {
        return new JobOptions(id, parent, traits, unique);
    }

    /** The same in another queue. */
    public JobOptions withQueue(String queue) {
        return withTraits(traits.withQueue(queue));
    }

    /** The same with another priority: smaller runs first. */
    public JobOptions withPriority(int priority) {
        return withTraits(traits.withPriority(priority));
    }

    /** The same with a retry policy of its own. */
    public JobOptions withRetries(RetryPolicy retries) {
        return withTraits(traits.withRetries(retries));
    }

    /** The same with a limit to how long one attempt may run. */
    public JobOptions withTimeout(Duration timeout) {
        return withTraits(traits.withTimeout(timeout));
    }

    /**
     * The same under a name that people see instead of the target. It may hold arguments: <code>{0}</code> is the first
     * one of a call, <code>{employee}</code> a component of a request. What is
     * marked as {@link dev.treadle.job.Secret} is left out.
     */
    public JobOptions withName(String name) {
        return withTraits(traits.withName(name));
    }

    /** The same with words to find it by. */
    public JobOptions withLabels(String... labels) {
        return withTraits(traits.withLabels(labels));
    }

    /** The same for nodes that have all these tags. */
    public JobOptions withTags(String... tags) {
        return withTraits(traits.withTags(tags));
    }

    /** The same using one permit of each of these resources from start to end. */
    public JobOptions withUses(String... resources) {
        return withTraits(traits.withUses(resources));
    }

    /** The same with an estimate of the heap that it needs at most, in MiB. */
    public JobOptions withHeap(int megabytes) {
        return withTraits(traits.withHeap(megabytes));
    }

    /**
     * The same using this many permits of each of these resources from start to end. An amount above 64 is {@linkplain
     * JobTraits#withAmountsRoundedUp rounded up} by less than a quarter.
     */
    public JobOptions withUses(Map<String, Integer> uses) {
        return withTraits(traits.withUses(uses));
    }

    /** The same with a key: a rule for how many jobs of that key may run at a time. */
    public JobOptions withKey(KeyRule key) {
        return withTraits(traits.withKey(key));
    }

    /** The same, with at most one such job at a time. */
    public JobOptions withUnique(Unique unique) {
        return new JobOptions(id, parent, traits, unique);
    }
}
