package dev.treadle.schedule;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A random cron expression in three dialects. Day of month and day of week are kept apart, since the other dialects know no
 * "or" between them.
 *
 * @param ours        6 fields, as we write it
 * @param clock       second, minute and hour
 * @param month       the month
 * @param days        the day of month
 * @param weekdays    the day of week as we write it
 * @param springDays  the same for Spring, whose steps begin with Monday as 1
 * @param quartzDays  the same for Quartz, whose week begins with Sunday as 1
 */
record RandomCron(
        String ours, String clock, String month, String days, String weekdays, String springDays, String quartzDays) {
    private static final String[] MONTHS = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split(" ");
    private static final String[] WEEKDAYS = "SUN MON TUE WED THU FRI SAT".split(" ");

    static RandomCron of(Random random) {
        String second = random.nextInt(3) == 0 ? field(random, 0, 59) : String.valueOf(random.nextInt(60));
        String clock = second + " " + field(random, 0, 59) + " " + field(random, 0, 23);
        String month = random.nextInt(3) > 0 ? "*" : named(random, field(random, 1, 12), MONTHS, 1);
        String days = random.nextInt(2) == 0 ? "*" : days(random);
        Weekdays weekdays = random.nextInt(2) == 0 ? new Weekdays("*", "*", "*") : Weekdays.of(random);
        return new RandomCron(
                clock + " " + days + " " + month + " " + weekdays.ours,
                clock,
                month,
                days,
                weekdays.ours,
                weekdays.spring,
                weekdays.quartz);
    }

    /** Whether a day need fulfil only one of the two fields. */
    boolean isEither() {
        return !days.startsWith("*") && !weekdays.startsWith("*");
    }

    private static String field(Random random, int min, int max) {
        List<String> items = new ArrayList<>();
        for (int i = random.nextInt(4) == 0 ? 3 : 1; i > 0; i--) {
            int from = min + random.nextInt(max - min + 1);
            int to = from + random.nextInt(max - from + 1);
            int step = 1 + random.nextInt((max - min + 1) / 2);
            items.add(
                    switch (random.nextInt(6)) {
                        case 0 -> "*/" + step;
                        case 1 -> from + "-" + to;
                        case 2 -> from + "-" + to + "/" + step;
                        case 3 -> from + "/" + step;
                        default -> String.valueOf(from);
                    });
        }
        return random.nextInt(5) == 0 ? "*" : String.join(",", items);
    }

    private static String days(Random random) {
        int day = 1 + random.nextInt(31);
        return switch (random.nextInt(8)) {
            case 0 -> "L";
            case 1 -> "L-" + (1 + random.nextInt(20));
            case 2 -> "LW";
            case 3, 4 -> day + "W";
            default -> field(random, 1, 31);
        };
    }

    private static String named(Random random, String list, String[] names, int first) {
        if (random.nextBoolean() || list.contains("/") || list.contains("*")) {
            return list;
        }
        return java.util.regex.Pattern.compile("\\d+")
                .matcher(list)
                .replaceAll(number -> names[Integer.parseInt(number.group()) - first]);
    }

    /** The same days of week in three dialects, as names where a number would mean different days. */
    private record Weekdays(String ours, String spring, String quartz) {
        static Weekdays of(Random random) {
            int day = random.nextInt(7);
            int step = 1 + random.nextInt(4);
            String name = WEEKDAYS[day];
            int nth = 1 + random.nextInt(5);
            return switch (random.nextInt(7)) {
                case 0 -> new Weekdays(day + "#" + nth, name + "#" + nth, day + 1 + "#" + nth);
                case 1 -> new Weekdays(name + "L", name + "L", day + 1 + "L");
                case 2 -> new Weekdays("*/" + step, names(0, 6, step), "*/" + step);
                case 3 -> {
                    int to = day + random.nextInt(7 - day);
                    yield new Weekdays(day + "-" + to, names(day, to, 1), day + 1 + "-" + (to + 1));
                }
                case 4 -> new Weekdays(day + "/" + step, names(day, 6, step), day + 1 + "/" + step);
                case 5 -> new Weekdays(name, name, name);
                default -> {
                    int other = random.nextInt(7);
                    yield new Weekdays(
                            day + "," + WEEKDAYS[other], name + "," + WEEKDAYS[other], name + "," + WEEKDAYS[other]);
                }
            };
        }

        private static String names(int from, int to, int step) {
            return IntStream.rangeClosed(from, to)
                    .filter(day -> (day - from) % step == 0)
                    .mapToObj(day -> WEEKDAYS[day])
                    .collect(Collectors.joining(","));
        }
    }
}
