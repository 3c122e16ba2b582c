/**
 * When recurring work runs: cron, fixed intervals and fixed delays, and what happens to runs that were missed or
 * overlap. All packages may use them; everything here is immutable and pure. Nothing here knows jobs, storage, threads,
 * the clock or any other package of Treadle.
 */
@NullMarked
package dev.treadle.schedule;

import org.jspecify.annotations.NullMarked;
