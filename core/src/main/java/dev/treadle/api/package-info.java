/**
 * Putting work in: enqueue, schedule, cancel, run again, look up.
 * Applications call it; the root package builds it.
 * Nothing here needs a server in this process or starts a thread.
 */
@NullMarked
package dev.treadle.api;

import org.jspecify.annotations.NullMarked;
