package dev.treadle.storage;

import dev.treadle.job.NodeId;

/**
 * What a node says of itself with every heartbeat.
 *
 * @param id       its id
 * @param name     its name for people, such as host and process
 * @param executor the executor it runs jobs on
 * @param workers  how many jobs it runs at once, at most
 */
public record NodeInfo(NodeId id, String name, String executor, int workers) {}
