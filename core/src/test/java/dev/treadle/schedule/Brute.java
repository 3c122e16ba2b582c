package dev.treadle.schedule;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Locale;
import java.util.Optional;

/**
 * What a cron expression means, the slow way: looks at every second and reads the expression anew, with nothing in common
 * with what it checks but the words of the policy.
 */
final class Brute {
    private static final String[] MONTHS = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split(" ");
    private static final String[] WEEKDAYS = "SUN MON TUE WED THU FRI SAT".split(" ");

    private final String[] field;
    private final ZoneId zone;
    private final boolean repeats;

    /** @param expression 6 fields */
    Brute(String expression, ZoneId zone) {
        this.field = expression.toUpperCase(Locale.ROOT).split(" ");
        this.zone = zone;
        this.repeats = (field[0] + field[1] + field[2]).matches(".*[*/-].*");
    }

    /** The first time after an instant and not after another. */
    Optional<Instant> next(Instant after, Instant last) {
        ZoneRules rules = zone.getRules();
        for (long s = after.getEpochSecond() + 1; s <= last.getEpochSecond(); s++) {
            Instant at = Instant.ofEpochSecond(s);
            ZoneOffset offset = rules.getOffset(at);
            LocalDateTime local = LocalDateTime.ofInstant(at, offset);
            boolean firstTime = rules.getValidOffsets(local).get(0).equals(offset);
            if (matches(local) && (repeats || firstTime)) {
                return Optional.of(at);
            }
            ZoneOffsetTransition leap = rules.previousTransition(at.plusNanos(1));
            if (leap != null && leap.getInstant().equals(at) && leap.isGap() && anyIn(leap)) {
                return Optional.of(at);
            }
        }
        return Optional.empty();
    }

    private boolean anyIn(ZoneOffsetTransition gap) {
        for (LocalDateTime at = gap.getDateTimeBefore(); at.isBefore(gap.getDateTimeAfter()); at = at.plusSeconds(1)) {
            if (matches(at)) {
                return true;
            }
        }
        return false;
    }

    boolean matches(LocalDateTime at) {
        return in(field[0], at.getSecond(), 0, 59)
                && in(field[1], at.getMinute(), 0, 59)
                && in(field[2], at.getHour(), 0, 23)
                && in(named(field[4], MONTHS, 1), at.getMonthValue(), 1, 12)
                && matches(at.toLocalDate());
    }

    private boolean matches(LocalDate day) {
        boolean ofMonth = false;
        for (String item : field[3].split(",")) {
            ofMonth |= item.contains("L") || item.contains("W")
                    ? specialDay(item, day)
                    : in(item, day.getDayOfMonth(), 1, 31);
        }
        boolean ofWeek = false;
        int weekday = day.getDayOfWeek().getValue() % 7;
        for (String item : named(field[5], WEEKDAYS, 0).split(",")) {
            ofWeek |= item.contains("L") || item.contains("#")
                    ? specialWeekday(item, day, weekday)
                    : in(item, weekday, 0, 6) || weekday == 0 && !item.startsWith("*") && in(item, 7, 0, 6);
        }
        boolean both = "*?".indexOf(field[3].charAt(0)) >= 0 || "*?".indexOf(field[5].charAt(0)) >= 0;
        return both ? ofMonth && ofWeek : ofMonth || ofWeek;
    }

    private static boolean specialDay(String item, LocalDate day) {
        int wanted = item.startsWith("L")
                ? day.lengthOfMonth() - (item.contains("-") ? Integer.parseInt(item.replaceAll("\\D", "")) : 0)
                : Integer.parseInt(item.replace("W", ""));
        if (wanted < 1 || wanted > day.lengthOfMonth()) {
            return false;
        }
        if (!item.contains("W")) {
            return day.getDayOfMonth() == wanted;
        }
        // the weekday of this month that is nearest, the earlier one of two
        int nearest = 0;
        for (int n = 1; n <= day.lengthOfMonth(); n++) {
            boolean weekday = day.withDayOfMonth(n).getDayOfWeek().getValue() < 6;
            if (weekday && (nearest == 0 || Math.abs(n - wanted) < Math.abs(nearest - wanted))) {
                nearest = n;
            }
        }
        return day.getDayOfMonth() == nearest;
    }

    private static boolean specialWeekday(String item, LocalDate day, int weekday) {
        String[] part = item.split("#");
        boolean same = Integer.parseInt(part[0].replace("L", "")) % 7 == weekday;
        return same
                && (part.length == 1
                        ? day.plusDays(7).getMonth() != day.getMonth()
                        : (day.getDayOfMonth() + 6) / 7 == Integer.parseInt(part[1]));
    }

    private static String named(String text, String[] names, int first) {
        String numbers = text;
        for (int i = 0; i < names.length; i++) {
            numbers = numbers.replace(names[i], String.valueOf(first + i));
        }
        return numbers;
    }

    private static boolean in(String list, int value, int min, int max) {
        for (String item : list.split(",")) {
            String[] part = item.split("/");
            int step = part.length == 2 ? Integer.parseInt(part[1]) : 1;
            String[] end = part[0].split("-");
            boolean all = part[0].equals("*") || part[0].equals("?");
            int from = all ? min : Integer.parseInt(end[0]);
            int to = all || part.length == 2 && end.length == 1 ? max : Integer.parseInt(end[end.length - 1]);
            int size = max - min + 1;
            // walks the range as a hand would go round the clock
            int steps = to >= from ? to - from : to - from + size;
            for (int i = 0; i <= steps; i += step) {
                int at = from + i;
                if (at == value || to < from && at - size == value) {
                    return true;
                }
            }
        }
        return false;
    }
}
