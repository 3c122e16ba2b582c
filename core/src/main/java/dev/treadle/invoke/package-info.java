/**
 * The border to user code: names from a row become a call, if this node's rules allow it and its classes know it.
 * Dispatching calls it, on the thread lent for the job.
 * Internal: not exported; no class is loaded, and nothing of a row trusted, before the rules have allowed its name.
 */
@NullMarked
package dev.treadle.invoke;

import org.jspecify.annotations.NullMarked;
