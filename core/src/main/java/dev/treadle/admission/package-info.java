/**
 * Limits what runs at once: permits of resources, and the number of jobs for which the heap is large enough. The dispatcher
 * asks before it claims, and running jobs ask for what they use for a part of their time. Nothing here starts a job, talks to
 * a database or calls user code.
 */
@NullMarked
package dev.treadle.admission;

import org.jspecify.annotations.NullMarked;
