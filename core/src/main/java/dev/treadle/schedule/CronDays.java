package dev.treadle.schedule;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The days of a cron expression. As in crontab(5): if day of month and day of week are both restricted, a day has to
 * match only one of them. A field that begins with {@code *} or {@code ?} is not restricted in this sense, and then a
 * day has to match both.
 */
final class CronDays {
    private static final Pattern LAST_DAY = Pattern.compile("L(-(\\d+))?(W)?");
    private static final Pattern NEAREST_WEEKDAY = Pattern.compile("(\\d+)W");
    private static final Pattern LAST_WEEKDAY = Pattern.compile("(\\w+)L");
    private static final Pattern NTH_WEEKDAY = Pattern.compile("(\\w+)#(\\d+)");

    /** Most days before the last of a month. */
    private static final int BEFORE_LAST_MAX = 30;
    /** Gregorian dates and weekdays repeat after so many years. */
    private static final int CYCLE_YEARS = 400;

    private static final LocalDate CYCLE_START = LocalDate.of(2000, 1, 1);

    private final long months;
    private final Days ofMonth;
    private final Days ofWeek;

    private CronDays(long months, Days ofMonth, Days ofWeek) {
        this.months = months;
        this.ofMonth = ofMonth;
        this.ofWeek = ofWeek;
    }

    /** Days of one of the two fields. */
    private record Days(boolean any, long bits, List<Predicate<LocalDate>> special) {
        boolean has(int number, LocalDate day) {
            return (bits >>> number & 1) != 0 || special.stream().anyMatch(one -> one.test(day));
        }
    }

    static CronDays of(String ofMonth, String months, String ofWeek) {
        Days monthDays = read(CronField.DAY_OF_MONTH, ofMonth);
        return new CronDays(CronParser.bits(CronField.MONTH, months), monthDays, read(CronField.DAY_OF_WEEK, ofWeek));
    }

    private static Days read(CronField field, String text) {
        try {
            return days(field, text);
        } catch (BadFieldException e) {
            throw new CronParser.InField(field, text, e.why());
        }
    }

    private static Days days(CronField field, String text) {
        boolean any = text.startsWith("*") || text.equals("?");
        if (text.equals("?")) {
            return new Days(true, field.all(), List.of());
        }
        CronItems items = new CronItems(field);
        long bits = 0;
        List<Predicate<LocalDate>> special = new ArrayList<>();
        for (String item : text.split(",", -1)) {
            Predicate<LocalDate> day =
                    field == CronField.DAY_OF_MONTH ? specialOfMonth(items, item) : specialOfWeek(items, item);
            if (day != null) {
                special.add(day);
            } else {
                bits |= items.bits(item);
            }
        }
        return new Days(any, bits, List.copyOf(special));
    }

    private static @Nullable Predicate<LocalDate> specialOfMonth(CronItems items, String item) {
        Matcher last = LAST_DAY.matcher(item);
        if (last.matches()) {
            int before = last.group(2) == null ? 0 : CronItems.small(last.group(2));
            if (before > BEFORE_LAST_MAX) {
                throw new BadFieldException("'" + item + "' is out of range: L-1 to L-" + BEFORE_LAST_MAX);
            }
            boolean weekday = last.group(3) != null;
            return day -> {
                int wanted = day.lengthOfMonth() - before;
                return wanted >= 1 && day.getDayOfMonth() == (weekday ? nearestWeekday(day, wanted) : wanted);
            };
        }
        Matcher nearest = NEAREST_WEEKDAY.matcher(item);
        if (nearest.matches()) {
            int wanted = items.number(nearest.group(1));
            return day -> wanted <= day.lengthOfMonth() && day.getDayOfMonth() == nearestWeekday(day, wanted);
        }
        return null;
    }

    /** The Monday to Friday that is nearest to a day and in the same month. */
    private static int nearestWeekday(LocalDate inMonth, int wanted) {
        LocalDate day = inMonth.withDayOfMonth(wanted);
        if (day.getDayOfWeek() == DayOfWeek.SATURDAY) {
            return wanted == 1 ? 3 : wanted - 1;
        }
        if (day.getDayOfWeek() == DayOfWeek.SUNDAY) {
            return wanted == day.lengthOfMonth() ? wanted - 2 : wanted + 1;
        }
        return wanted;
    }

    private static @Nullable Predicate<LocalDate> specialOfWeek(CronItems items, String item) {
        Matcher nth = NTH_WEEKDAY.matcher(item);
        if (nth.matches()) {
            int weekday = items.number(nth.group(1));
            int n = CronItems.small(nth.group(2));
            if (n < 1 || n > 5) {
                throw new BadFieldException("'" + item + "' is out of range: #1 to #5");
            }
            return day -> weekday(day) == weekday && (day.getDayOfMonth() - 1) / 7 + 1 == n;
        }
        Matcher last = LAST_WEEKDAY.matcher(item);
        if (last.matches()) {
            int weekday = items.number(last.group(1));
            return day -> weekday(day) == weekday && day.getDayOfMonth() > day.lengthOfMonth() - 7;
        }
        if (item.equals("L")) {
            throw new BadFieldException(
                    "'L' alone says no weekday: write SATL or 6L for the last Saturday of the month");
        }
        return null;
    }

    private static int weekday(LocalDate day) {
        return day.getDayOfWeek().getValue() % 7;
    }

    private boolean matches(LocalDate day) {
        boolean month = ofMonth.has(day.getDayOfMonth(), day);
        boolean week = ofWeek.has(weekday(day), day);
        return ofMonth.any || ofWeek.any ? month && week : month || week;
    }

    /** The first of these days from one day up to and without another; null if there is none. */
    @Nullable
    LocalDate first(LocalDate from, LocalDate end) {
        for (LocalDate day = from; day.isBefore(end); ) {
            if ((months >>> day.getMonthValue() & 1) == 0) {
                day = day.withDayOfMonth(1).plusMonths(1);
            } else if (matches(day)) {
                return day;
            } else {
                day = day.plusDays(1);
            }
        }
        return null;
    }

    /** Whether no year has such a day. */
    boolean areNever() {
        return first(CYCLE_START, CYCLE_START.plusYears(CYCLE_YEARS)) == null;
    }
}
