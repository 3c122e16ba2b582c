package dev.treadle.lifecycle;

import dev.treadle.job.NodeId;
import java.time.Duration;
import java.time.Instant;

/**
 * A run that lost its lease and has not been seen to end: its job was cancelled, or another node took it over.
 *
 * @param run     which run
 * @param node    where it goes on
 * @param askedAt when the lease was taken, by the clock of the storage
 * @param since   how long ago that was when it was asked for
 */
public record StopRequest(RunId run, NodeId node, Instant askedAt, Duration since) {}
