package dev.treadle.api;

import dev.treadle.job.AfterRule;
import dev.treadle.job.Due;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.KeyRule;
import dev.treadle.job.RetryPolicy;
import dev.treadle.job.Unique;
import dev.treadle.transaction.TransactionMode;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Options of a job, beside what it calls: {@code JobOptions.DEFAULT.withQueue("mail").withPriority(5)}. Pass them with
 * {@link JobScheduler#with}. Immutable.
 */
public final class JobOptions {
    /** A new id, due now, and the {@linkplain JobTraits#DEFAULT default traits}. */
    public static final JobOptions DEFAULT = new JobOptions(
            null, null, new When(null, null, null), JobTraits.DEFAULT, new Writing(null, TransactionMode.JOIN));

    private final @Nullable JobId id;
    private final @Nullable JobId parent;
    private final When when;
    private final JobTraits traits;
    private final Writing writing;

    private JobOptions(@Nullable JobId id, @Nullable JobId parent, When when, JobTraits traits, Writing writing) {
        if (id != null && parent != null) {
            throw new IllegalArgumentException(
                    "JobOptions have both an id and a parent to derive ids from: give one of the two.");
        }
        if (when.jobs != null && writing.unique != null) {
            throw new IllegalArgumentException("A unique job cannot run after others, because another of its name may"
                    + " stand in its place: give it an id of its own instead (JobOptions.withId or withIdsUnder).");
        }
        this.id = id;
        this.parent = parent;
        this.when = when;
        this.traits = traits;
        this.writing = writing;
    }

    /** When jobs become due; all null for now, and at most one of them not. */
    private record When(@Nullable Instant at, @Nullable Duration delay, Due.@Nullable AfterJobs jobs) {
        When {
            if (jobs != null && (at != null || delay != null)) {
                throw new IllegalArgumentException(
                        "A job runs after others or at a time, not both. Have it sleep first,"
                                + " with job.sleep(…), if it is to run some time after them.");
            }
        }
    }

    /** In what way jobs are unique, null if they are not, and what the write has to do with an open transaction. */
    private record Writing(@Nullable Unique unique, TransactionMode mode) {}

    /** The id of the one job that is enqueued; null for a new one. */
    public @Nullable JobId id() {
        return id;
    }

    /** The id from which the id of each job is derived; null for new ids. */
    public @Nullable JobId parent() {
        return parent;
    }

    /** When jobs become due, by the storage's clock; null if it is not a fixed time. */
    public @Nullable Instant dueAt() {
        return when.at;
    }

    /** How long jobs wait until they become due; null if they do not wait. */
    public @Nullable Duration delay() {
        return when.delay;
    }

    /** Which jobs it runs after; null if after none. */
    public Due.@Nullable AfterJobs afterJobs() {
        return when.jobs;
    }

    /** What is stored with the job. */
    public JobTraits traits() {
        return traits;
    }

    /** In what way the job is unique; null if it is not. */
    public @Nullable Unique unique() {
        return writing.unique;
    }

    /** What the call has to do with a transaction that is open on its thread. */
    public TransactionMode transactionMode() {
        return writing.mode;
    }

    /** Gives the job this id. It is for one job only: to enqueue it again changes nothing. */
    public JobOptions withId(JobId id) {
        return new JobOptions(id, parent, when, traits, writing);
    }

    /**
     * Derives the id of each job from this id and from what the job calls. To enqueue the same call again under the same
     * parent changes nothing.
     */
    public JobOptions withIdsUnder(JobId parent) {
        return new JobOptions(id, parent, when, traits, writing);
    }

    /** Schedules jobs: they become due at this time by the storage's clock, or at once if the time has passed. */
    public JobOptions withDueAt(Instant at) {
        return new JobOptions(id, parent, new When(at, null, when.jobs), traits, writing);
    }

    /** Schedules jobs: they become due after this delay. */
    public JobOptions withDelay(Duration delay) {
        return new JobOptions(id, parent, new When(null, delay, when.jobs), traits, writing);
    }

    /**
     * Runs jobs after others, once all of those have succeeded. Until then they are Waiting, without a thread, a lease or a
     * permit. While one of the others has failed, they wait on: run the failed job again, and they go on when it succeeds.
     * If one of the others is cancelled, or deleted before it succeeded, they are cancelled, too.
     *
     * <p>Of those that have ended already, the end counts. The enqueue throws an {@link IllegalArgumentException} if one of
     * the ids does not exist. Called again, adds further jobs.
     *
     * @param jobs at most {@value Due.AfterJobs#JOBS_MAX}
     */
    public JobOptions after(JobId... jobs) {
        return after(AfterRule.AFTER_SUCCESS, List.of(jobs));
    }

    /** As {@link #after(JobId...)}, for many. */
    public JobOptions after(Collection<JobId> jobs) {
        return after(AfterRule.AFTER_SUCCESS, jobs);
    }

    /**
     * Runs jobs once one of these others has failed for good. If none of them can fail any more, because all have succeeded
     * or were cancelled, they are cancelled. Everything else is as with {@link #after(JobId...)}.
     */
    public JobOptions afterFailureOf(JobId... jobs) {
        return after(AfterRule.AFTER_FAILURE, List.of(jobs));
    }

    /** As {@link #afterFailureOf(JobId...)}, for many. */
    public JobOptions afterFailureOf(Collection<JobId> jobs) {
        return after(AfterRule.AFTER_FAILURE, jobs);
    }

    /** Runs jobs once all of these others have ended, in whatever way. Everything else is as with {@link #after(JobId...)}. */
    public JobOptions afterEndOf(JobId... jobs) {
        return after(AfterRule.AFTER_END, List.of(jobs));
    }

    /** As {@link #afterEndOf(JobId...)}, for many. */
    public JobOptions afterEndOf(Collection<JobId> jobs) {
        return after(AfterRule.AFTER_END, jobs);
    }

    private JobOptions after(AfterRule rule, Collection<JobId> jobs) {
        Due.AfterJobs before = when.jobs;
        if (before != null && before.rule() != rule) {
            throw new IllegalArgumentException("A job runs after others under one rule, and these options have "
                    + before.rule() + " and " + rule + ": have a job in between run after some of them.");
        }
        Due.AfterJobs all = before == null ? new Due.AfterJobs(rule, List.copyOf(jobs)) : before.with(jobs);
        return new JobOptions(id, parent, new When(when.at, when.delay, all), traits, writing);
    }

    /** Replaces all traits. */
    public JobOptions withTraits(JobTraits traits) {
        return new JobOptions(id, parent, when, traits, writing);
    }

    /** Puts the job into this queue. */
    public JobOptions withQueue(String queue) {
        return withTraits(traits.withQueue(queue));
    }

    /** Sets the priority; a smaller number runs first. */
    public JobOptions withPriority(int priority) {
        return withTraits(traits.withPriority(priority));
    }

    /** Sets the retry policy, instead of that of the server. */
    public JobOptions withRetries(RetryPolicy retries) {
        return withTraits(traits.withRetries(retries));
    }

    /** Limits how long one attempt may run. */
    public JobOptions withTimeout(Duration timeout) {
        return withTraits(traits.withTimeout(timeout));
    }

    /**
     * Sets until when the job must have ended, by the storage's clock: see {@link JobTraits#withDeadline}.
     */
    public JobOptions withDeadline(Instant deadline) {
        return withTraits(traits.withDeadline(deadline));
    }

    /**
     * Sets the name that people see instead of the target. It may contain arguments: <code>{0}</code> is the first
     * argument of a call, <code>{employee}</code> a component of a request. What is marked as
     * {@link dev.treadle.job.Secret} is left out.
     */
    public JobOptions withName(String name) {
        return withTraits(traits.withName(name));
    }

    /** Sets the labels that the job can be found by. */
    public JobOptions withLabels(String... labels) {
        return withTraits(traits.withLabels(labels));
    }

    /** Runs the job only on nodes that have all these tags. */
    public JobOptions withTags(String... tags) {
        return withTraits(traits.withTags(tags));
    }

    /** Holds one permit of each of these resources while the job runs. */
    public JobOptions withUses(String... resources) {
        return withTraits(traits.withUses(resources));
    }

    /** Estimates how much heap the job needs at most, in MiB. */
    public JobOptions withHeap(int megabytes) {
        return withTraits(traits.withHeap(megabytes));
    }

    /**
     * Holds so many permits of each of these resources while the job runs. An amount above 64 is
     * {@linkplain JobTraits#withAmountsRoundedUp rounded up} by less than a quarter.
     */
    public JobOptions withUses(Map<String, Integer> uses) {
        return withTraits(traits.withUses(uses));
    }

    /**
     * Adds a header, which travels with the job for interceptors, logs and tracing: see {@link JobTraits#withHeader}.
     */
    public JobOptions withHeader(String name, String value) {
        return withTraits(traits.withHeader(name, value));
    }

    /** Sets a key, which limits how many jobs of the same key run at a time. */
    public JobOptions withKey(KeyRule key) {
        return withTraits(traits.withKey(key));
    }

    /** Makes the job unique: there is at most one such job at a time. */
    public JobOptions withUnique(Unique unique) {
        return new JobOptions(id, parent, when, traits, new Writing(unique, writing.mode));
    }

    /**
     * Sets what the call has to do with a transaction that is open on its thread: one of
     * {@link JobScheduler#transaction}, or one that a {@linkplain dev.treadle.transaction.TransactionLink link} finds.
     */
    public JobOptions withTransactionMode(TransactionMode mode) {
        return new JobOptions(id, parent, when, traits, new Writing(writing.unique, mode));
    }
}
