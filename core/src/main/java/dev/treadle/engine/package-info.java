/**
 * One running node: wires claim, dispatch, outcome and maintenance together, and drives them with loops. Not exported:
 * the root package starts it, and users see it as {@code server.JobServer}. Nothing here decides what becomes of a job.
 */
@NullMarked
package dev.treadle.engine;

import org.jspecify.annotations.NullMarked;
