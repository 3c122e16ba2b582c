/**
 * Claims due jobs for this node, and decides how often to look for them. Internal: not exported. Called by the dispatcher
 * only. Nothing here starts a thread or knows what a job does.
 */
@NullMarked
package dev.treadle.claim;

import org.jspecify.annotations.NullMarked;
