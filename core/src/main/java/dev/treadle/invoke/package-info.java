/**
 * Calls user code: names from a row become a call, if this node's rules allow it and its classes have it.
 * Dispatching calls it, on the thread lent for the job. Not exported. No class is loaded before the rules have allowed
 * its name.
 */
@NullMarked
package dev.treadle.invoke;

import org.jspecify.annotations.NullMarked;
