/**
 * How an attempt ended, what that means for the job, and writing it down. Internal: not exported.
 * The dispatcher hands outcomes in; the storage gets endings.
 * Nothing here calls user code or starts a thread.
 */
@NullMarked
package dev.treadle.outcome;

import org.jspecify.annotations.NullMarked;
