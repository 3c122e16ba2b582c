package dev.treadle.job;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is stored with a job beside its call, and never changed: its queue, its priority and so on. Immutable.
 *
 * <pre>{@code
 * JobTraits.DEFAULT.withQueue("mail").withPriority(5).withLabels("invoice", "2026")
 * }</pre>
 */
public final class JobTraits {
    /** Runs before all others. */
    public static final int PRIORITY_MIN = -1_000;
    /** Runs after all others. */
    public static final int PRIORITY_MAX = 1_000;
    /** The queue of jobs that name none. */
    public static final String QUEUE_DEFAULT = "default";
    /** Longest name of a queue, a label or a tag, in characters. */
    public static final int WORD_LENGTH_MAX = 100;
    /** Longest display name, in characters. */
    public static final int NAME_LENGTH_MAX = 500;
    /** Most permits of one resource that one job may ask for. */
    public static final int AMOUNT_MAX = 1_000_000;
    /** Most labels, most tags, most resources, and most headers, of one job. */
    public static final int WORDS_MAX = 20;
    /** Longest value of a header, in characters. */
    public static final int HEADER_LENGTH_MAX = 1_000;

    /** The default queue, priority 0, the node's retry policy, no timeout, no name, no labels, no tags, no key, no
     * resources, no headers, no deadline. */
    public static final JobTraits DEFAULT = new JobTraits(new Draft());

    private static final int QUEUE = 1;
    private static final int PRIORITY = 2;
    private static final int RETRIES = 4;
    private static final int TIMEOUT = 8;
    private static final int NAME = 16;
    private static final int LABELS = 32;
    private static final int TAGS = 64;

    private final String queue;
    private final int priority;
    private final @Nullable RetryPolicy retries;
    private final @Nullable Duration timeout;
    private final @Nullable String name;
    private final Set<String> labels;
    private final Set<String> tags;
    private final @Nullable KeyRule key;
    private final Map<String, Integer> uses;
    private final Map<String, String> headers;
    private final @Nullable Instant deadline;
    private final @Nullable GateId gate;
    private final boolean followed;
    /** What was set, even to its default: {@link #QUEUE} and so on. Two traits are equal without it. */
    private final int given;

    private JobTraits(Draft draft) {
        this.queue = draft.queue;
        this.priority = draft.priority;
        this.retries = draft.retries;
        this.timeout = draft.timeout;
        this.name = draft.name;
        this.labels = draft.labels;
        this.tags = draft.tags;
        this.key = draft.key;
        this.uses = draft.uses;
        this.headers = draft.headers;
        this.deadline = draft.deadline;
        this.gate = draft.gate;
        this.followed = draft.followed;
        this.given = draft.given;
    }

    /** The queue in which the job waits. */
    public String queue() {
        return queue;
    }

    /** Its priority, {@value #PRIORITY_MIN} to {@value #PRIORITY_MAX}; a smaller number runs first. */
    public int priority() {
        return priority;
    }

    /** Its own retry policy; null for that of the node that runs it. */
    public @Nullable RetryPolicy retries() {
        return retries;
    }

    /** How long one attempt may run; null for no limit. */
    public @Nullable Duration timeout() {
        return timeout;
    }

    /** What people see instead of its target; null for the target. */
    public @Nullable String name() {
        return name;
    }

    /** Words to find it by. */
    public Set<String> labels() {
        return labels;
    }

    /** Only a node that has all of these may run it. */
    public Set<String> tags() {
        return tags;
    }

    /** Its key, which limits how many jobs of the same key run at a time; null if it has none. */
    public @Nullable KeyRule key() {
        return key;
    }

    /** How many permits of each resource it holds while it runs. */
    public Map<String, Integer> uses() {
        return uses;
    }

    /** What travels with the job for others than its code, by name: a trace context, a tenant, a locale. */
    public Map<String, String> headers() {
        return headers;
    }

    /** Until when the job must have ended, all attempts and waits together; null for no limit. */
    public @Nullable Instant deadline() {
        return deadline;
    }

    /** The gate that counts its end, because it is the child of another job or part of a batch; null if none does. */
    public @Nullable GateId gate() {
        return gate;
    }

    /** Whether other jobs run after this one, so that its end is told to their gates. */
    public boolean isFollowed() {
        return followed;
    }

    /** The lane in which such a job waits. */
    public Lane lane() {
        // why not a new one each time: nearly all jobs are of this one
        return tags.isEmpty() && uses.isEmpty() && queue.equals(QUEUE_DEFAULT)
                ? Lane.DEFAULT
                : new Lane(queue, tags, uses);
    }

    /** Puts the job into another queue. */
    public JobTraits withQueue(String queue) {
        TraitsCheck.checkWord("queue", queue);
        Draft draft = new Draft(this);
        draft.queue = queue;
        draft.given |= QUEUE;
        return new JobTraits(draft);
    }

    /** Sets the priority; a smaller number runs first. */
    public JobTraits withPriority(int priority) {
        if (priority < PRIORITY_MIN || priority > PRIORITY_MAX) {
            throw new IllegalArgumentException(
                    "The priority " + priority + " is out of range: " + PRIORITY_MIN + " to " + PRIORITY_MAX + ".");
        }
        Draft draft = new Draft(this);
        draft.priority = priority;
        draft.given |= PRIORITY;
        return new JobTraits(draft);
    }

    /** Sets a retry policy of its own, or null for that of the node. */
    public JobTraits withRetries(@Nullable RetryPolicy retries) {
        Draft draft = new Draft(this);
        draft.retries = retries;
        draft.given |= RETRIES;
        return new JobTraits(draft);
    }

    /** Limits how long one attempt may run, at least 1 ms; null for no limit. */
    public JobTraits withTimeout(@Nullable Duration timeout) {
        if (timeout != null && timeout.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("The timeout " + timeout + " is out of range: at least 1 ms.");
        }
        Draft draft = new Draft(this);
        draft.timeout = timeout;
        draft.given |= TIMEOUT;
        return new JobTraits(draft);
    }

    /** Sets the name that people see, or null for the target. */
    public JobTraits withName(@Nullable String name) {
        if (name != null && (name.isBlank() || name.length() > NAME_LENGTH_MAX)) {
            throw new IllegalArgumentException(
                    "A job's name must have 1 to " + NAME_LENGTH_MAX + " characters and not be blank.");
        }
        Draft draft = new Draft(this);
        draft.name = name;
        draft.given |= NAME;
        return new JobTraits(draft);
    }

    /** Sets the labels; others are removed. */
    public JobTraits withLabels(String... labels) {
        Draft draft = new Draft(this);
        draft.labels = TraitsCheck.words("label", labels);
        draft.given |= LABELS;
        return new JobTraits(draft);
    }

    /** Runs the job only on nodes that have all these tags. */
    public JobTraits withTags(String... tags) {
        Draft draft = new Draft(this);
        draft.tags = TraitsCheck.words("tag", tags);
        draft.given |= TAGS;
        return new JobTraits(draft);
    }

    /** Sets a key, or null for none. */
    public JobTraits withKey(@Nullable KeyRule key) {
        Draft draft = new Draft(this);
        draft.key = key;
        return new JobTraits(draft);
    }

    /** Adds one permit of each of these resources to what the job uses. */
    public JobTraits withUses(String... resources) {
        Map<String, Integer> all = new TreeMap<>(uses);
        List.of(resources).forEach(resource -> all.put(resource, 1));
        return withUses(all);
    }

    /**
     * Estimates how much heap the job needs at most, in MiB. It starts when that much of what jobs may
     * {@linkplain Uses#HEAP estimate} is free. The estimate is rounded up to a power of two, since each amount has a lane
     * of its own.
     */
    public JobTraits withHeap(int megabytes) {
        if (megabytes < 1 || megabytes > AMOUNT_MAX / 2) {
            throw new IllegalArgumentException(
                    "The heap estimate " + megabytes + " is out of range: 1 to " + AMOUNT_MAX / 2 + " MiB.");
        }
        int highest = Integer.highestOneBit(megabytes);
        Map<String, Integer> all = new TreeMap<>(uses);
        all.put(Uses.HEAP, highest == megabytes ? megabytes : 2 * highest);
        return withUses(all);
    }

    /**
     * Sets which resources the job uses, and how many permits of each. An amount above 64 is
     * {@linkplain #withAmountsRoundedUp rounded up} by less than a quarter when the job is stored.
     */
    public JobTraits withUses(Map<String, Integer> uses) {
        Draft draft = new Draft(this);
        draft.uses = uses.isEmpty() ? Map.of() : TraitsCheck.checkedUses(uses);
        return new JobTraits(draft);
    }

    /**
     * The same with each amount it uses rounded up to one that a storage keeps: amounts up to 64 stay as they are, and above that there are four
     * from each power of two to the next ({@value #AMOUNT_MAX} is one). {@link dev.treadle.storage.NewJob} does this, so that jobs with
     * amounts of their own share few {@linkplain Lane lanes}.
     */
    public JobTraits withAmountsRoundedUp() {
        boolean kept = uses.isEmpty() || uses.values().stream().allMatch(amount -> AmountSteps.up(amount) == amount);
        if (kept) {
            return this;
        }
        Map<String, Integer> rounded = new TreeMap<>(uses);
        rounded.replaceAll((resource, amount) -> AmountSteps.up(amount));
        return withUses(rounded);
    }

    /** Adds a header, or replaces the one of that name. */
    public JobTraits withHeader(String name, String value) {
        Map<String, String> all = new TreeMap<>(headers);
        all.put(name, value);
        return withHeaders(all);
    }

    /** Sets the headers, at most {@value #WORDS_MAX}; others are removed. Values have {@value #HEADER_LENGTH_MAX} characters at most. */
    public JobTraits withHeaders(Map<String, String> headers) {
        Draft draft = new Draft(this);
        draft.headers = TraitsCheck.checkedHeaders(headers);
        return new JobTraits(draft);
    }

    /** Sets until when the job must have ended, by the storage's clock; null for no limit. After that it fails. In microseconds. */
    public JobTraits withDeadline(@Nullable Instant deadline) {
        Draft draft = new Draft(this);
        draft.deadline = deadline == null ? null : deadline.truncatedTo(ChronoUnit.MICROS);
        return new JobTraits(draft);
    }

    /** Has a gate count the job's end. */
    public JobTraits withGate(@Nullable GateId gate) {
        Draft draft = new Draft(this);
        draft.gate = gate;
        return new JobTraits(draft);
    }

    /** Has the job's end told to the gates of those that run after it. */
    public JobTraits withFollowed(boolean followed) {
        Draft draft = new Draft(this);
        draft.followed = followed;
        return new JobTraits(draft);
    }

    /**
     * Takes from {@code defaults} what was not set here: queue, priority, retries, timeout, name, labels and tags. What was
     * set to its default counts as set.
     */
    public JobTraits withDefaults(JobTraits defaults) {
        Draft draft = new Draft(this);
        draft.queue = (given & QUEUE) != 0 ? queue : defaults.queue;
        draft.priority = (given & PRIORITY) != 0 ? priority : defaults.priority;
        draft.retries = (given & RETRIES) != 0 ? retries : defaults.retries;
        draft.timeout = (given & TIMEOUT) != 0 ? timeout : defaults.timeout;
        draft.name = (given & NAME) != 0 ? name : defaults.name;
        draft.labels = (given & LABELS) != 0 ? labels : defaults.labels;
        draft.tags = (given & TAGS) != 0 ? tags : defaults.tags;
        draft.given = given | defaults.given;
        return new JobTraits(draft);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof JobTraits that
                && priority == that.priority
                && queue.equals(that.queue)
                && Objects.equals(retries, that.retries)
                && Objects.equals(timeout, that.timeout)
                && Objects.equals(name, that.name)
                && labels.equals(that.labels)
                && tags.equals(that.tags)
                && Objects.equals(key, that.key)
                && uses.equals(that.uses)
                && headers.equals(that.headers)
                && Objects.equals(deadline, that.deadline)
                && Objects.equals(gate, that.gate)
                && followed == that.followed;
    }

    @Override
    public int hashCode() {
        return Objects.hash(
                queue, priority, retries, timeout, name, labels, tags, key, uses, headers, deadline, gate, followed);
    }

    @Override
    public String toString() {
        return "JobTraits[queue=" + queue + ", priority=" + priority + ", retries=" + retries + ", timeout=" + timeout
                + ", name=" + name + ", labels=" + labels + ", tags=" + tags + ", key=" + key + ", uses=" + uses
                + ", headers=" + headers.keySet()
                + (deadline == null ? "" : ", deadline=" + deadline) + (gate == null ? "" : ", gate=" + gate) + "]";
    }

    /** The next traits, by name: a constructor with ten parameters would let two of one type change places unseen. */
    private static final class Draft {
        private String queue = QUEUE_DEFAULT;
        private int priority;
        private @Nullable RetryPolicy retries;
        private @Nullable Duration timeout;
        private @Nullable String name;
        private Set<String> labels = Set.of();
        private Set<String> tags = Set.of();
        private @Nullable KeyRule key;
        private Map<String, Integer> uses = Map.of();
        private Map<String, String> headers = Map.of();
        private @Nullable Instant deadline;
        private @Nullable GateId gate;
        private boolean followed;
        private int given;

        private Draft() {}

        private Draft(JobTraits from) {
            this.queue = from.queue;
            this.priority = from.priority;
            this.retries = from.retries;
            this.timeout = from.timeout;
            this.name = from.name;
            this.labels = from.labels;
            this.tags = from.tags;
            this.key = from.key;
            this.uses = from.uses;
            this.headers = from.headers;
            this.deadline = from.deadline;
            this.gate = from.gate;
            this.followed = from.followed;
            this.given = from.given;
        }
    }
}
