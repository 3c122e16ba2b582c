package dev.treadle.schedule;

/** Reads the numbers, names, ranges and steps of one field into bits. A reversed range wraps around: {@code 22-2}. */
final class CronItems {
    private final CronField field;

    CronItems(CronField field) {
        this.field = field;
    }

    /**
     * One item of a field's list.
     *
     * @throws BadFieldException if the text is no item
     */
    long bits(String item) {
        String[] part = item.split("/", -1);
        if (part.length > 2) {
            throw new BadFieldException("'" + item + "' has more than one step");
        }
        int step = part.length == 2 ? step(part[1]) : 1;
        if (part[0].equals("*")) {
            return stepped(field.min, field.size(), step);
        }
        String[] end = part[0].split("-", -1);
        if (end.length > 2) {
            throw new BadFieldException("'" + item + "' is no range: write it as from-to");
        }
        int from = number(end[0]);
        if (end.length == 1) {
            // "5/15" means from 5 on
            return part.length == 2 ? stepped(from, field.max - from + 1, step) : 1L << from;
        }
        int count = Math.floorMod(number(end[1]) - from, field.size()) + 1;
        boolean wholeWeek = field == CronField.DAY_OF_WEEK && end[0].equals("0") && end[1].equals("7");
        return stepped(from, wholeWeek ? field.size() : count, step);
    }

    /** A number or name of this field; Sunday is always 0. */
    int number(String text) {
        Integer named = field.named(text);
        if (named != null) {
            return named;
        }
        if (!text.matches("\\d+")) {
            throw new BadFieldException(
                    text.isEmpty() ? "a number is missing" : "'" + text + "' is neither a number nor a name");
        }
        int number = small(text);
        if (number < field.min || number > field.maxWritten()) {
            throw new BadFieldException(text + " is out of range");
        }
        return field == CronField.DAY_OF_WEEK ? number % 7 : number;
    }

    private int step(String text) {
        if (!text.matches("\\d+")) {
            throw new BadFieldException("the step '" + text + "' is not a number");
        }
        int step = small(text);
        if (step < 1 || step > field.size()) {
            throw new BadFieldException("the step " + text + " is out of range: 1 to " + field.size());
        }
        return step;
    }

    /** Never overflows, even for long text. */
    static int small(String digits) {
        return digits.length() > 4 ? Integer.MAX_VALUE : Integer.parseInt(digits);
    }

    private long stepped(int from, int count, int step) {
        long bits = 0;
        for (int i = 0; i < count; i += step) {
            bits |= 1L << field.min + (from - field.min + i) % field.size();
        }
        return bits;
    }
}
