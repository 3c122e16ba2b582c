package dev.treadle.server;

import org.jspecify.annotations.Nullable;

/**
 * How many jobs a node admits at once, and why.
 *
 * @param workers  the most that could be
 * @param admitted how many may run now; the same as {@code workers} where nothing guards the heap
 * @param guarded  whether something does
 * @param live     what the last collections left of the heap, in bytes; 0 if nothing guards it
 * @param max      what the heap may become, in bytes; 0 if nothing guards it
 * @param lowered  how often fewer were admitted
 * @param raised   how often more were
 * @param last     the last of that, for people; null if there was none
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
