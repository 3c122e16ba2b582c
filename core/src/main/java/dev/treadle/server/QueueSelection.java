package dev.treadle.server;

import dev.treadle.job.JobTraits;
import dev.treadle.job.Lane;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which jobs a server takes. Immutable.
 *
 * @param queues the queues that have settings
 * @param others whether it also serves all other queues, those it has never heard of among them
 * @param tags   what this node has or can do: a job that asks for tags runs only where all of them are
 */
public record QueueSelection(List<QueueSettings> queues, boolean others, Set<String> tags) {
    /** Before the name of a queue, in what a node says of itself. */
    public static final String QUEUE_WORD = "queue ";
    /** What a node says of queues that it does not name. */
    public static final String OTHERS_WORD = "other queues";

    /** All queues; no tags. */
    public static final QueueSelection DEFAULT = new QueueSelection(List.of(), true, Set.of());

    /** @throws IllegalArgumentException if a queue comes twice, or none is served at all */
    public QueueSelection {
        queues = List.copyOf(queues);
        Set<String> names = new LinkedHashSet<>();
        for (QueueSettings queue : queues) {
            if (!names.add(queue.queue())) {
                throw new IllegalArgumentException("The queue '" + queue.queue() + "' is set twice. Set it once.");
            }
        }
        if (queues.isEmpty() && !others) {
            throw new IllegalArgumentException(
                    "A server that serves no queue runs no job. Name a queue, or build with enqueueOnly().");
        }
        tags = JobTraits.DEFAULT.withTags(tags.toArray(String[]::new)).tags();
    }

    QueueSelection withTags(String... tags) {
        return new QueueSelection(queues, others, new TreeSet<>(List.of(tags)));
    }

    /** Whether this server takes the jobs of a lane. */
    boolean serves(Lane lane) {
        return lane.admits(tags)
                && (others || queues.stream().anyMatch(one -> one.queue().equals(lane.queue())));
    }

    /** What people are told of it, by name; nothing if it serves all queues alike. */
    Map<String, String> words() {
        Map<String, String> words = new LinkedHashMap<>();
        for (QueueSettings queue : queues) {
            List<String> said = new ArrayList<>();
            said.add(queue.concurrency() == null ? "no limit of its own" : queue.concurrency() + " at once");
            if (queue.weight() != 1) {
                said.add("weight " + queue.weight());
            }
            if (queue.executor() != null) {
                said.add("on " + queue.executor());
            }
            words.put(QUEUE_WORD + queue.queue(), String.join(", ", said));
        }
        if (!others) {
            words.put(OTHERS_WORD, "not served");
        }
        if (!tags.isEmpty()) {
            words.put("tags", String.join(", ", new TreeSet<>(tags)));
        }
        return words;
    }

    /** The executors that queues name. */
    public Set<String> executors() {
        Set<String> names = new LinkedHashSet<>();
        for (QueueSettings queue : queues) {
            if (queue.executor() != null) {
                names.add(queue.executor());
            }
        }
        return names;
    }
}
