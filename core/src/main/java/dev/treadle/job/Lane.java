package dev.treadle.job;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where a job waits: its queue, the tags that a node must have to take it, and what must be free there. Jobs of one lane are taken in one order;
 * a node takes from the lanes that it serves. Immutable.
 *
 * @param queue the name of the queue
 * @param tags  only a node that has all of these takes from this lane
 * @param uses  what each of its jobs uses from its begin to its end: a node takes from it what it has free permits for
 */
public record Lane(String queue, Set<String> tags, Map<String, Integer> uses) {
    /** Of jobs that ask for nothing special. */
    public static final Lane DEFAULT = new Lane(JobTraits.QUEUE_DEFAULT, Set.of());

    /** Of jobs that use nothing that is counted. */
    public Lane(String queue, Set<String> tags) {
        this(queue, tags, Map.of());
    }

    /** Keeps its own copies. */
    public Lane {
        tags = Set.copyOf(tags);
        uses = Map.copyOf(uses);
    }

    /** Whether a node that has these tags may take from it. */
    public boolean admits(Set<String> tagsOfNode) {
        return tagsOfNode.containsAll(tags);
    }

    /** Written out as in {@link JobId}. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other == this
                || other instanceof Lane lane
                        && queue.equals(lane.queue)
                        && tags.equals(lane.tags)
                        && uses.equals(lane.uses);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * queue.hashCode() + tags.hashCode()) + uses.hashCode();
    }

    @Override
    public String toString() {
        String where = tags.isEmpty() ? queue : queue + " on nodes with " + tags;
        return uses.isEmpty() ? where : where + " using " + uses;
    }
}
