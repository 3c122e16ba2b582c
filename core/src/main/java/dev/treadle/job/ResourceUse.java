package dev.treadle.job;

import org.jspecify.annotations.Nullable;

/**
 * How a resource of one node stands.
 *
 * @param name    its name
 * @param permits how many there are; null if nothing was set, so that nobody waits for it
 * @param inUse   how many are held
 * @param waiting who waits for some: jobs that are running, and kinds of whole jobs that wait in the storage, one each
 */
public record ResourceUse(String name, @Nullable Integer permits, long inUse, int waiting) {}
