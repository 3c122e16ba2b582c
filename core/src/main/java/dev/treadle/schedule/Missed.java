package dev.treadle.schedule;

/**
 * What happens to runs that were missed, for example because no server was up. A run is missed when it is later than
 * {@link RecurringRules#missedAfter}; a run that is only a little late always runs.
 *
 * @param most how many of the newest missed runs are made up for; 0 for none
 * @param once one of them is made up for, and only if nothing else is due now
 */
public record Missed(int most, boolean once) {
    /** Most missed runs that are made up for. */
    public static final int CATCH_UP_MAX = 10_000;

    /** Missed runs are dropped. */
    public static final Missed SKIP = new Missed(0, false);
    /** One run makes up for all missed ones; a run that is due now counts as that one. */
    public static final Missed ONCE = new Missed(1, true);

    /** @throws IllegalArgumentException if the number is out of range */
    public Missed {
        if (most < 0 || most > CATCH_UP_MAX) {
            throw new IllegalArgumentException(
                    "Missed.all(" + most + ") is out of range: 0 to " + CATCH_UP_MAX + " missed runs to make up for.");
        }
    }

    /**
     * Missed runs are made up for, at most the newest {@code most} of them.
     *
     * @param most 0 to {@value #CATCH_UP_MAX}
     */
    public static Missed all(int most) {
        return new Missed(most, false);
    }

    /** The policy as text that {@link #parse} reads back. */
    public String toText() {
        return once ? "once" : most == 0 ? "skip" : "all " + most;
    }

    /**
     * Reads what {@link #toText} wrote.
     *
     * @throws IllegalArgumentException if the text is something else
     */
    public static Missed parse(String text) {
        if (text.equals("once")) {
            return ONCE;
        }
        if (text.equals("skip")) {
            return SKIP;
        }
        if (text.matches("all \\d{1,9}")) {
            return all(Integer.parseInt(text.substring("all ".length())));
        }
        throw new IllegalArgumentException("Not a policy for missed runs: '" + text + "'. Write skip, once or all 10.");
    }
}
