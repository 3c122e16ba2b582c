package dev.treadle.storage;

import dev.treadle.job.NodeId;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The last heartbeat that the storage has of a node.
 *
 * @param node      whose heartbeat it is
 * @param mark      differs from that of the heartbeat before. It says nothing of when that was: clocks are set, and a
 *                  failover brings another one
 * @param deadAfter how long this node may be silent before it is taken for dead, as it has told itself; null if it has not
 */
public record NodeBeat(NodeId node, long mark, @Nullable Duration deadAfter) {}
