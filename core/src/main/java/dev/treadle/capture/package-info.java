/**
 * A lambda, a method reference or a request becomes data: which type, which method, which arguments.
 * The API calls it where a job is enqueued, on the caller's thread.
 * Internal: not exported; user code is read here and never run, and nothing that cannot be stored gets past.
 */
@NullMarked
package dev.treadle.capture;

import org.jspecify.annotations.NullMarked;
