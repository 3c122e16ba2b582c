package dev.treadle.schedule;

import java.time.DayOfWeek;
import java.time.Month;
import java.util.Locale;

/**
 * Writes common cron expressions: {@code Schedule.cron(Cron.weekly(SUNDAY, 22, 0), ZoneId.of("Europe/Berlin"))}. The zone
 * is said with the schedule; without one it is UTC.
 */
public final class Cron {
    private static final int MINUTES = 60;
    private static final int HOURS = 24;

    private Cron() {}

    /** Every minute. */
    public static String minutely() {
        return "* * * * *";
    }

    /**
     * Every so many minutes, from the full hour on.
     *
     * @param minutes a number that divides 60
     */
    public static String everyMinutes(int minutes) {
        return "*/" + divisor("everyMinutes", minutes, MINUTES) + " * * * *";
    }

    /** At each full hour. */
    public static String hourly() {
        return hourly(0);
    }

    /** At this minute of each hour. */
    public static String hourly(int minute) {
        return minute(minute) + " * * * *";
    }

    /**
     * Every so many hours, from midnight on.
     *
     * @param hours a number that divides 24
     */
    public static String everyHours(int hours) {
        return "0 */" + divisor("everyHours", hours, HOURS) + " * * *";
    }

    /** At midnight. */
    public static String daily() {
        return daily(0, 0);
    }

    /** Every day at this full hour. */
    public static String daily(int hour) {
        return daily(hour, 0);
    }

    /** Every day at this time. */
    public static String daily(int hour, int minute) {
        return time(hour, minute) + " * * *";
    }

    /** From Monday to Friday at this time. */
    public static String weekdays(int hour, int minute) {
        return time(hour, minute) + " * * MON-FRI";
    }

    /** On this day of the week at midnight. */
    public static String weekly(DayOfWeek day) {
        return weekly(day, 0, 0);
    }

    /** On this day of the week at this full hour. */
    public static String weekly(DayOfWeek day, int hour) {
        return weekly(day, hour, 0);
    }

    /** On this day of the week at this time. */
    public static String weekly(DayOfWeek day, int hour, int minute) {
        return time(hour, minute) + " * * " + day.name().substring(0, 3);
    }

    /** On the first of each month at midnight. */
    public static String monthly() {
        return monthly(1, 0, 0);
    }

    /** On this day of each month at this full hour. */
    public static String monthly(int day, int hour) {
        return monthly(day, hour, 0);
    }

    /**
     * On this day of each month at this time. Months that do not have the day are left out; {@link #lastDayOfMonth} has
     * them all.
     *
     * @param day 1 to 31
     */
    public static String monthly(int day, int hour, int minute) {
        return time(hour, minute) + " " + inRange("day", day, 1, 31) + " * *";
    }

    /** On the last day of each month at this time. */
    public static String lastDayOfMonth(int hour, int minute) {
        return time(hour, minute) + " L * *";
    }

    /** On the first of January at midnight. */
    public static String yearly() {
        return yearly(Month.JANUARY, 1, 0, 0);
    }

    /**
     * Once a year at this time; the 29th of February in leap years only.
     *
     * @param day a day that the month has
     */
    public static String yearly(Month month, int day, int hour, int minute) {
        int days = inRange("day of " + month.name().toLowerCase(Locale.ROOT), day, 1, month.maxLength());
        return time(hour, minute) + " " + days + " " + month.getValue() + " *";
    }

    private static String time(int hour, int minute) {
        return minute(minute) + " " + inRange("hour", hour, 0, HOURS - 1);
    }

    private static int minute(int minute) {
        return inRange("minute", minute, 0, MINUTES - 1);
    }

    private static int divisor(String method, int step, int whole) {
        if (step < 1 || step > whole / 2 || whole % step != 0) {
            throw new IllegalArgumentException("Cron." + method + "(" + step + ") would not come at even intervals: "
                    + step + " has to be a part of " + whole + ", at most half of it. Use Schedule.every(Duration) for"
                    + " any other interval.");
        }
        return step;
    }

    private static int inRange(String what, int value, int from, int to) {
        if (value < from || value > to) {
            throw new IllegalArgumentException(
                    "The " + what + " " + value + " is out of range: " + from + " to " + to + ".");
        }
        return value;
    }
}
