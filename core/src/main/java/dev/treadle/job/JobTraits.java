package dev.treadle.job;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a job asks for beside its call; kept with it and never changed. Immutable.
 *
 * @param queue    the queue it waits in
 * @param priority smaller runs first; {@value #PRIORITY_MIN} to {@value #PRIORITY_MAX}, 0 is usual
 * @param retries  its own retry policy; null means that of the node that runs it
 * @param timeout  how long one attempt may run; null means no limit
 * @param name     what people see instead of its target; null means the target
 * @param labels   words to find it by
 * @param tags     only a node that has all of these may run it
 * @param key      what it has in common with jobs that may not all run at once; null if nothing
 * @param uses     which resources it uses from start to end, and how many permits of each
 */
public record JobTraits(
        String queue,
        int priority,
        @Nullable RetryPolicy retries,
        @Nullable Duration timeout,
        @Nullable String name,
        Set<String> labels,
        Set<String> tags,
        @Nullable KeyRule key,
        Map<String, Integer> uses) {
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
    /** Most labels, most tags, and most resources, of one job. */
    public static final int WORDS_MAX = 20;

    /** The default queue, priority 0, the node's retry policy, no timeout, no name, no labels, no tags, no key, no resources. */
    public static final JobTraits DEFAULT =
            new JobTraits(QUEUE_DEFAULT, 0, null, null, null, Set.of(), Set.of(), null, Map.of());

    /** @throws IllegalArgumentException naming what is out of range and its range */
    public JobTraits {
        if (priority < PRIORITY_MIN || priority > PRIORITY_MAX) {
            throw new IllegalArgumentException(
                    "The priority " + priority + " is out of range: " + PRIORITY_MIN + " to " + PRIORITY_MAX + ".");
        }
        checkWord("queue", queue);
        if (timeout != null && timeout.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("The timeout " + timeout + " is out of range: at least 1 ms.");
        }
        if (name != null && (name.isBlank() || name.length() > NAME_LENGTH_MAX)) {
            throw new IllegalArgumentException(
                    "A job's name must have 1 to " + NAME_LENGTH_MAX + " characters and not be blank.");
        }
        labels = words("label", labels);
        tags = words("tag", tags);
        uses = uses.isEmpty() ? Map.of() : checkedUses(uses);
    }

    /** The lane in which such a job waits. */
    public Lane lane() {
        // why not a new one each time: nearly all jobs are of this one
        return tags.isEmpty() && uses.isEmpty() && queue.equals(QUEUE_DEFAULT)
                ? Lane.DEFAULT
                : new Lane(queue, tags, uses);
    }

    /** The same in another queue. */
    public JobTraits withQueue(String queue) {
        return new JobTraits(queue, priority, retries, timeout, name, labels, tags, key, uses);
    }

    /** The same with another priority. */
    public JobTraits withPriority(int priority) {
        return new JobTraits(queue, priority, retries, timeout, name, labels, tags, key, uses);
    }

    /** The same with a retry policy of its own, or null for that of the node. */
    public JobTraits withRetries(@Nullable RetryPolicy retries) {
        return new JobTraits(queue, priority, retries, timeout, name, labels, tags, key, uses);
    }

    /** The same with a limit to how long one attempt may run, or null for none. */
    public JobTraits withTimeout(@Nullable Duration timeout) {
        return new JobTraits(queue, priority, retries, timeout, name, labels, tags, key, uses);
    }

    /** The same under another name, or null for the target. */
    public JobTraits withName(@Nullable String name) {
        return new JobTraits(queue, priority, retries, timeout, name, labels, tags, key, uses);
    }

    /** The same with these labels and no others. */
    public JobTraits withLabels(String... labels) {
        return new JobTraits(queue, priority, retries, timeout, name, new TreeSet<>(List.of(labels)), tags, key, uses);
    }

    /** The same for nodes that have all these tags. */
    public JobTraits withTags(String... tags) {
        return new JobTraits(queue, priority, retries, timeout, name, labels, new TreeSet<>(List.of(tags)), key, uses);
    }

    /** The same with a key, or null for none. */
    public JobTraits withKey(@Nullable KeyRule key) {
        return new JobTraits(queue, priority, retries, timeout, name, labels, tags, key, uses);
    }

    /** The same using one permit of each of these resources beside those it uses already. */
    public JobTraits withUses(String... resources) {
        Map<String, Integer> all = new TreeMap<>(uses);
        List.of(resources).forEach(resource -> all.put(resource, 1));
        return withUses(all);
    }

    /**
     * The same with an estimate of the heap that it needs at most, in MiB: it starts on a node where that much of what
     * jobs may {@linkplain Uses#HEAP estimate} is free. Rounded up to a power of two, since each amount has a lane of
     * its own.
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
     * The same using these resources and no others. An amount above 64 is {@linkplain #withAmountsRoundedUp rounded up} by less than a
     * quarter when the job is kept.
     */
    public JobTraits withUses(Map<String, Integer> uses) {
        return new JobTraits(queue, priority, retries, timeout, name, labels, tags, key, uses);
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

    private static Map<String, Integer> checkedUses(Map<String, Integer> uses) {
        if (uses.size() > WORDS_MAX) {
            throw new IllegalArgumentException(
                    "A job uses " + uses.size() + " resources and may use at most " + WORDS_MAX + ".");
        }
        uses.forEach((resource, amount) -> {
            checkWord("resource", resource);
            if (amount < 1 || amount > AMOUNT_MAX) {
                throw new IllegalArgumentException(
                        "The job uses " + amount + " of '" + resource + "', and that must be 1 to " + AMOUNT_MAX + ".");
            }
        });
        return Map.copyOf(uses);
    }

    private static Set<String> words(String what, Set<String> words) {
        if (words.size() > WORDS_MAX) {
            throw new IllegalArgumentException(
                    "A job has " + words.size() + " " + what + "s and may have at most " + WORDS_MAX + ".");
        }
        words.forEach(word -> checkWord(what, word));
        return Set.copyOf(words);
    }

    private static void checkWord(String what, String word) {
        if (word.isBlank() || word.length() > WORD_LENGTH_MAX) {
            throw new IllegalArgumentException("The " + what + " '" + word + "' must have 1 to " + WORD_LENGTH_MAX
                    + " characters and not be blank.");
        }
    }
}
