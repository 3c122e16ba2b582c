/**
 * Chores that repeat: heartbeats, rescue, promotion, recurring jobs, retention. Internal: not exported. The server's loops
 * take the turns. Nothing here runs jobs, sleeps or decides the next state of a job.
 */
@NullMarked
package dev.treadle.maintenance;

import org.jspecify.annotations.NullMarked;
