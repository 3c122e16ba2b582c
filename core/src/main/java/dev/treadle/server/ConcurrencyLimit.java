package dev.treadle.server;

import org.jspecify.annotations.Nullable;

/**
 * How many jobs a node admits at once, and why.
 *
 * @param workers  how many jobs the executors could run at once
 * @param admitted how many may run now; equal to {@code workers} without a heap guard
 * @param guarded  whether there is a heap guard
 * @param live     how much of the heap was live after the last collections, in bytes; 0 without a heap guard
 * @param max      the largest size of the heap, in bytes; 0 without a heap guard
 * @param lowered  how often the guard admitted fewer jobs
 * @param raised   how often it admitted more
 * @param last     the last change, for people; null if there was none
 */
public record ConcurrencyLimit(
        int workers,
        int admitted,
        boolean guarded,
        long live,
        long max,
        long lowered,
        long raised,
        @Nullable String last) {}
