package dev.treadle.schedule;

import java.util.Locale;
import java.util.Map;

/** Reads cron expressions of 5 and 6 fields and the usual words for some of them. */
final class CronParser {
    /** The longest expression, in characters. */
    static final int EXPRESSION_CHARS_MAX = 500;

    private static final Map<String, String> WORDS = Map.of(
            "@YEARLY", "0 0 1 1 *",
            "@ANNUALLY", "0 0 1 1 *",
            "@MONTHLY", "0 0 1 * *",
            "@WEEKLY", "0 0 * * 0",
            "@DAILY", "0 0 * * *",
            "@MIDNIGHT", "0 0 * * *",
            "@HOURLY", "0 * * * *");

    private CronParser() {}

    /** @throws IllegalArgumentException naming the field that is wrong and why */
    static CronTimes parse(String expression) {
        if (expression.length() > EXPRESSION_CHARS_MAX) {
            throw wrong(expression.substring(0, 40) + "…", "it has more than " + EXPRESSION_CHARS_MAX + " characters");
        }
        String text = expression.strip().toUpperCase(Locale.ROOT);
        if (text.startsWith("@")) {
            String meant = WORDS.get(text);
            if (meant == null) {
                throw wrong(
                        expression,
                        "the words known are @yearly, @annually, @monthly, @weekly, @daily, @midnight"
                                + " and @hourly");
            }
            text = meant;
        }
        String[] field = text.split("\\s+");
        if (field.length != 5 && field.length != 6) {
            throw wrong(
                    expression,
                    "it has " + (text.isEmpty() ? 0 : field.length)
                            + " fields and must have 5 (minute, hour, day of month, month, day of week) or 6 (second before"
                            + " these)");
        }
        try {
            return times(field);
        } catch (InField e) {
            throw wrong(expression, e.getMessage());
        }
    }

    private static CronTimes times(String[] field) {
        int first = field.length - 5;
        String second = first == 1 ? field[0] : "0";
        // in the order of the expression, so that the error names the first wrong field
        long seconds = bits(CronField.SECOND, second);
        long minutes = bits(CronField.MINUTE, field[first]);
        long hours = bits(CronField.HOUR, field[first + 1]);
        CronDays days = CronDays.of(field[first + 2], field[first + 3], field[first + 4]);
        CronTimes times = new CronTimes(
                seconds, minutes, hours, days, repeats(second) || repeats(field[first]) || repeats(field[first + 1]));
        if (days.areNever()) {
            throw new InField(
                    CronField.DAY_OF_MONTH,
                    field[first + 2],
                    "together with month " + field[first + 3] + " and day of week " + field[first + 4]
                            + " there is no such day in any year");
        }
        return times;
    }

    /** Whether a field stands for evenly spaced times instead of single ones. */
    private static boolean repeats(String field) {
        return field.contains("*") || field.contains("-") || field.contains("/");
    }

    static long bits(CronField field, String text) {
        CronItems items = new CronItems(field);
        long bits = 0;
        try {
            for (String item : text.split(",", -1)) {
                bits |= items.bits(item);
            }
            return bits;
        } catch (BadFieldException e) {
            throw new InField(field, text, e.why());
        }
    }

    private static IllegalArgumentException wrong(String expression, String why) {
        return new IllegalArgumentException("The cron expression '" + expression + "' cannot be used: " + why + ".");
    }

    /** The error for a wrong field, with the reason. */
    static final class InField extends RuntimeException {
        private static final long serialVersionUID = 1L;

        InField(CronField field, String text, String why) {
            super("its " + field.title + " '" + text + "' (" + field.range() + ") is wrong: " + why);
        }

        @Override
        public String getMessage() {
            return String.valueOf(super.getMessage());
        }
    }
}
