package dev.treadle.job;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where a job waits: its queue, the tags that a node must have to take it, and the resources that must be free there.
 * Jobs of one lane are claimed in one order; a node claims from the lanes that it serves. Immutable.
 *
 * @param queue the name of the queue
 * @param tags  only a node that has all of these claims from this lane
 * @param uses  what each of its jobs uses while it runs: a node claims as many jobs as it has free permits for
 */
public record Lane(String queue, Set<String> tags, Map<String, Integer> uses) {
    /** The lane of jobs that ask for nothing special. */
    public static final Lane DEFAULT = new Lane(JobTraits.QUEUE_DEFAULT, Set.of());

    /** A lane of jobs that use no resources. */
    public Lane(String queue, Set<String> tags) {
        this(queue, tags, Map.of());
    }

    /** Copies the tags and the uses. */
    public Lane {
        tags = Set.copyOf(tags);
        uses = Map.copyOf(uses);
    }

    /** Whether a node with these tags may claim from it. */
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
