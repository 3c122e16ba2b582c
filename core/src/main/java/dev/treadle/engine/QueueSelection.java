package dev.treadle.engine;

import dev.treadle.job.Lane;
import dev.treadle.server.JobServerSettings;
import dev.treadle.server.QueueSettings;
import dev.treadle.storage.NodeFigures;
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
 * @param others whether the server also serves all other queues, including those it does not know yet
 * @param tags   the tags of this node: a job that asks for tags runs only on a node that has all of them
 */
public record QueueSelection(List<QueueSettings> queues, boolean others, Set<String> tags) {
    /** What the settings of a server say. */
    public static QueueSelection of(JobServerSettings settings) {
        return new QueueSelection(settings.queues(), settings.servesOtherQueues(), settings.tags());
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
            words.put(NodeFigures.QUEUE_FACT + queue.queue(), String.join(", ", said));
        }
        if (!others) {
            words.put(NodeFigures.OTHER_QUEUES_FACT, "not served");
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
