package dev.treadle.storage.admin;

import dev.treadle.job.NodeId;
import dev.treadle.storage.NodeMinute;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What nodes did, minute by minute, as their heartbeats told it: so that charts exist before the first look.
 * Thread-safe.
 */
public interface Minutes {
    /** How long minutes are kept. */
    Duration KEPT = Duration.ofDays(8);

    /**
     * All nodes together, oldest first: of heap, threads and running jobs the sum, each node by the share of the minute
     * for which it was there. A minute in which one node followed another is covered once.
     *
     * @param since minutes that began then or later
     */
    List<NodeMinute> together(Instant since);

    /** One node's, oldest first. */
    List<NodeMinute> of(NodeId node, Instant since);
}
