package dev.treadle.schedule;

import java.time.Instant;
import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/**
 * One time in a preview.
 *
 * @param at    when
 * @param local the same on the clocks of the schedule's zone
 * @param note  why it is at an unexpected time, such as a change of clocks; null if it is not
 */
public record NextRun(
        Instant at, ZonedDateTime local, @Nullable String note) {}
