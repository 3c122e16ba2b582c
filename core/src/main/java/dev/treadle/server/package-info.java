/**
 * Starts and stops what takes a job from claim to outcome: the composition root of a node.
 * Users configure it; the root package builds it.
 * Nothing here decides what becomes of a job.
 */
@NullMarked
package dev.treadle.server;

import org.jspecify.annotations.NullMarked;
