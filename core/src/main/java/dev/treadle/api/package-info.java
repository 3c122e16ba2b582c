/**
 * Puts work in and asks about it: enqueue, schedule, cancel, run again, find. Exported; applications call it. These are
 * interfaces and values only; {@link dev.treadle.Treadle} makes the implementations.
 */
@NullMarked
package dev.treadle.api;

import org.jspecify.annotations.NullMarked;
