package dev.treadle.storage;

import dev.treadle.job.NodeId;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a node says of itself with every heartbeat.
 *
 * @param id        its id
 * @param name      its name for people, such as host and process
 * @param executor  the executor it runs jobs on
 * @param workers   how many jobs it runs at once, at most
 * @param deadAfter how long it may be silent before others take it for dead; null if it does not say, and then each of
 *                  them uses its own setting
 * @param figures   how it stands; null if it does not tell
 */
public record NodeInfo(
        NodeId id,
        String name,
        String executor,
        int workers,
        @Nullable Duration deadAfter,
        @Nullable NodeFigures figures) {
    /** A node that reports neither its state nor how long it may be silent. */
    public NodeInfo(NodeId id, String name, String executor, int workers) {
        this(id, name, executor, workers, null, null);
    }

    /** A node that does not say how long it may be silent. */
    public NodeInfo(NodeId id, String name, String executor, int workers, @Nullable NodeFigures figures) {
        this(id, name, executor, workers, null, figures);
    }

    /** The same with figures. */
    public NodeInfo with(@Nullable NodeFigures figures) {
        return new NodeInfo(id, name, executor, workers, deadAfter, figures);
    }

    /** The same, dead after another silence. */
    public NodeInfo withDeadAfter(Duration deadAfter) {
        return new NodeInfo(id, name, executor, workers, deadAfter, figures);
    }
}
