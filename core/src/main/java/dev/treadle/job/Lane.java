package dev.treadle.job;

import java.util.Set;

/**
 * Where a job waits: its queue, and the tags that a node must have to take it. Jobs of one lane are taken in one order;
 * a node takes from the lanes that it serves. Immutable.
 *
 * @param queue the name of the queue
 * @param tags  only a node that has all of these takes from this lane
 */
public record Lane(String queue, Set<String> tags) {
    /** Of jobs that ask for nothing special. */
    public static final Lane DEFAULT = new Lane(JobTraits.QUEUE_DEFAULT, Set.of());

    /** Keeps its own copy of the tags. */
    public Lane {
        tags = Set.copyOf(tags);
    }

    /** Whether a node that has these tags may take from it. */
    public boolean admits(Set<String> tagsOfNode) {
        return tagsOfNode.containsAll(tags);
    }

    @Override
    public String toString() {
        return tags.isEmpty() ? queue : queue + " on nodes with " + tags;
    }
}
