package dev.treadle.storage;

import dev.treadle.job.NodeId;
import org.jspecify.annotations.Nullable;

/**
 * What a node says of itself with every heartbeat.
 *
 * @param id       its id
 * @param name     its name for people, such as host and process
 * @param executor the executor it runs jobs on
 * @param workers  how many jobs it runs at once, at most
 * @param figures  how it stands; null if it does not tell
 */
public record NodeInfo(
        NodeId id,
        String name,
        String executor,
        int workers,
        @Nullable NodeFigures figures) {
    /** A node that does not tell how it stands. */
    public NodeInfo(NodeId id, String name, String executor, int workers) {
        this(id, name, executor, workers, null);
    }

    /** The same with figures. */
    public NodeInfo with(@Nullable NodeFigures figures) {
        return new NodeInfo(id, name, executor, workers, figures);
    }
}
