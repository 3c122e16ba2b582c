/**
 * What repeats every so often: saying that this node lives, rescuing the jobs of nodes that do not, waking what is due.
 * Internal: not exported. The server's loops take the turns.
 * Nothing here runs jobs, sleeps or decides what becomes of a job.
 */
@NullMarked
package dev.treadle.maintenance;

import org.jspecify.annotations.NullMarked;
