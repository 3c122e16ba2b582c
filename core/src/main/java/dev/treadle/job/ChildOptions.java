package dev.treadle.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * Options of jobs that a job spawns: {@code ChildOptions.DEFAULT.withQueue("pdf").withPriority(5)}. Pass them to {@link
 * JobContext#spawn(String, JobRequest, ChildOptions)}. A child's id follows from its parent and its name, and it is kept
 * under the lease of its parent, so there are no options for ids, unique names and transactions. Immutable.
 */
public final class ChildOptions {
    /** Due now, with the {@linkplain JobTraits#DEFAULT default traits}. */
    public static final ChildOptions DEFAULT = new ChildOptions(Due.NOW, JobTraits.DEFAULT);

    private final Due due;
    private final JobTraits traits;

    private ChildOptions(Due due, JobTraits traits) {
        this.due = due;
        this.traits = traits;
    }

    /** When the children become due, counted from the first time that they are spawned. */
    public Due due() {
        return due;
    }

    /** What is stored with each of them. */
    public JobTraits traits() {
        return traits;
    }

    /** Schedules the children: they become due at this time by the storage's clock, or at once if it has passed. */
    public ChildOptions withDueAt(Instant at) {
        return new ChildOptions(new Due.At(at), traits);
    }

    /** Schedules the children: they become due after this delay. */
    public ChildOptions withDelay(Duration delay) {
        return new ChildOptions(new Due.After(delay), traits);
    }

    /** Replaces all traits. The gate is that of the parent, whatever the traits say. */
    public ChildOptions withTraits(JobTraits traits) {
        return new ChildOptions(due, traits);
    }

    /** Puts the children into this queue. */
    public ChildOptions withQueue(String queue) {
        return withTraits(traits.withQueue(queue));
    }

    /** Sets the priority; a smaller number runs first. */
    public ChildOptions withPriority(int priority) {
        return withTraits(traits.withPriority(priority));
    }

    /** Sets the retry policy, instead of that of the server. */
    public ChildOptions withRetries(RetryPolicy retries) {
        return withTraits(traits.withRetries(retries));
    }

    /** Limits how long one attempt may run. */
    public ChildOptions withTimeout(Duration timeout) {
        return withTraits(traits.withTimeout(timeout));
    }

    /**
     * Sets until when each child must have ended, by the storage's clock: see {@link JobTraits#withDeadline}. The deadline of the parent bounds
     * it anyway.
     */
    public ChildOptions withDeadline(Instant deadline) {
        return withTraits(traits.withDeadline(deadline));
    }

    /** Sets the name that people see, which may contain components of the request: <code>Slip of {employee}</code>. */
    public ChildOptions withName(String name) {
        return withTraits(traits.withName(name));
    }

    /** Sets the labels that the children can be found by. */
    public ChildOptions withLabels(String... labels) {
        return withTraits(traits.withLabels(labels));
    }

    /** Runs the children only on nodes that have all these tags. */
    public ChildOptions withTags(String... tags) {
        return withTraits(traits.withTags(tags));
    }

    /** Holds one permit of each of these resources while a child runs. */
    public ChildOptions withUses(String... resources) {
        return withTraits(traits.withUses(resources));
    }

    /** Holds so many permits of each of these resources while a child runs: see {@link JobTraits#withUses(Map)}. */
    public ChildOptions withUses(Map<String, Integer> uses) {
        return withTraits(traits.withUses(uses));
    }

    /** Estimates how much heap each child needs at most, in MiB. */
    public ChildOptions withHeap(int megabytes) {
        return withTraits(traits.withHeap(megabytes));
    }

    /** Adds a header, which travels with each child: see {@link JobTraits#withHeader}. */
    public ChildOptions withHeader(String name, String value) {
        return withTraits(traits.withHeader(name, value));
    }

    /** Sets a key, which limits how many jobs of the same key run at a time. */
    public ChildOptions withKey(KeyRule key) {
        return withTraits(traits.withKey(key));
    }
}
