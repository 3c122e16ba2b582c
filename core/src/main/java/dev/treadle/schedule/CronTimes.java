package dev.treadle.schedule;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import org.jspecify.annotations.Nullable;

/**
 * The times of a cron expression on clocks that never change.
 *
 * @param repeats whether second, minute or hour has {@code *}, a range or a step: then a repeated hour repeats the runs
 */
record CronTimes(long seconds, long minutes, long hours, CronDays days, boolean repeats) {

    /** The first of these times from one time up to and without another; null if there is none. */
    @Nullable
    LocalDateTime first(LocalDateTime from, LocalDateTime end) {
        LocalDate lastDay = end.toLocalDate();
        LocalDate day = days.first(from.toLocalDate(), lastDay.plusDays(1));
        if (day == null) {
            return null;
        }
        LocalTime time = day.equals(from.toLocalDate()) ? firstTime(from.toLocalTime()) : firstTime(LocalTime.MIN);
        if (time == null) {
            day = days.first(day.plusDays(1), lastDay.plusDays(1));
            time = firstTime(LocalTime.MIN);
        }
        if (day == null || time == null) {
            return null;
        }
        LocalDateTime found = day.atTime(time);
        return found.isBefore(end) ? found : null;
    }

    /** The first time of day that is not before the given one; null if the day has no such time. */
    private @Nullable LocalTime firstTime(LocalTime from) {
        int hour = next(hours, from.getHour());
        if (hour < 0) {
            return null;
        }
        if (hour > from.getHour()) {
            return LocalTime.of(hour, next(minutes, 0), next(seconds, 0));
        }
        int minute = next(minutes, from.getMinute());
        if (minute == from.getMinute()) {
            int second = next(seconds, from.getSecond());
            if (second >= 0) {
                return LocalTime.of(hour, minute, second);
            }
            minute = next(minutes, minute + 1);
        }
        if (minute >= 0) {
            return LocalTime.of(hour, minute, next(seconds, 0));
        }
        int later = next(hours, hour + 1);
        return later < 0 ? null : LocalTime.of(later, next(minutes, 0), next(seconds, 0));
    }

    /** The first set bit that is not before the given one; -1 if there is none. */
    private static int next(long bits, int from) {
        long left = from > 63 ? 0 : bits >>> from;
        return left == 0 ? -1 : from + Long.numberOfTrailingZeros(left);
    }
}
