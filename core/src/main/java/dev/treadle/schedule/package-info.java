/**
 * When recurring work runs: cron, fixed intervals and fixed delays, and what becomes of runs that were missed or overlap.
 * All packages may use them; everything here is immutable and pure: an instant goes in, an instant comes out.
 * Nothing here knows jobs, storage, threads, the clock or any other package of Treadle.
 */
@NullMarked
package dev.treadle.schedule;

import org.jspecify.annotations.NullMarked;
