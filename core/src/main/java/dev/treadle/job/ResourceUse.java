package dev.treadle.job;

import org.jspecify.annotations.Nullable;

/**
 * A resource of one node and its use.
 *
 * @param name    its name
 * @param permits how many there are; null if none was declared; no job waits for it then
 * @param inUse   how many are held
 * @param waiting how many wait for some: running jobs, and lanes of jobs that wait in the storage, one each
 */
public record ResourceUse(String name, @Nullable Integer permits, long inUse, int waiting) {}
