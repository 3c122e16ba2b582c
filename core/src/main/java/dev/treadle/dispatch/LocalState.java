package dev.treadle.dispatch;

/**
 * The jobs that are on this node, and the permits for more.
 *
 * @param queues   what the node holds of each queue
 * @param inFlight what it has claimed and not yet recorded
 * @param gate     takes the permits of resources
 */
public record LocalState(LocalQueues queues, InFlight inFlight, ResourceGate gate) {}
