package dev.treadle.schedule;

import java.time.Instant;
import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/**
 * One time in a preview.
 *
 * @param at    when
 * @param local the same on the clocks of the schedule's zone
 * @param note  why it is not where one would look for it, as when clocks change; null if there is nothing to say
 */
public record NextRun(
        Instant at, ZonedDateTime local, @Nullable String note) {}
