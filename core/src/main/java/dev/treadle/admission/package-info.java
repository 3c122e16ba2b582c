/**
 * How much at once: permits of resources, and how many jobs the heap bears. Exported for its settings.
 * The dispatcher asks before it claims, and running jobs ask for what they use in part.
 * Nothing here starts a job, talks to a database or calls user code.
 */
@NullMarked
package dev.treadle.admission;

import org.jspecify.annotations.NullMarked;
