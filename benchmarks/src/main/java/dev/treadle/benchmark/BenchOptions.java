package dev.treadle.benchmark;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the command line asks for.
 *
 * @param subject what is measured
 * @param peers   whether others' programs are measured too
 * @param json    whether results are for machines
 * @param rounds  how often each contender is measured, interleaved with the others
 * @param jobs    how many jobs Treadle runs in a drain, from which all other counts follow; null for each workload's own
 * @param doc     the page whose tables are replaced by what is measured; null for none
 * @param quick   everything small: to see that it works, not to measure
 */
record BenchOptions(
        Subject subject,
        boolean peers,
        boolean json,
        int rounds,
        @Nullable Integer jobs,
        @Nullable Path doc,
        boolean quick) {
    static final int ROUNDS_MAX = 100;
    static final int JOBS_MIN = 100;
    static final int JOBS_MAX = 10_000_000;
    private static final int ROUNDS = 5;

    static final String USAGE = """
            Usage: ./treadle bench [%s] [options]

              --peers       JobRunr, db-scheduler and Quartz too
              --json        results for machines: one object per line
              --rounds N    how often each is measured, interleaved (default %d; --quick: 1)
              --jobs N      how many jobs Treadle runs in a drain; the other counts keep their proportion to it
              --doc FILE    replaces the measured tables of that page too
              --quick       everything small, to see that it works: not to measure
            """.formatted(Subject.names("|"), ROUNDS);

    /** What can be measured. */
    enum Subject {
        DRAIN,
        ENQUEUE,
        LATENCY,
        BLOCKING,
        PINNED,
        SCHEDULED,
        NODES,
        H2,
        LOOM,
        JMH,
        ALL;

        static String names(String between) {
            return Arrays.stream(values())
                    .map(subject -> subject.name().toLowerCase(Locale.ROOT))
                    .collect(Collectors.joining(between));
        }

        boolean includes(Subject other) {
            return this == other || this == ALL;
        }
    }

    /** @throws IllegalArgumentException with a sentence for people */
    static BenchOptions parse(String... arguments) {
        Subject subject = Subject.ALL;
        boolean peers = false;
        boolean json = false;
        boolean quick = false;
        Integer rounds = null;
        Integer jobs = null;
        Path doc = null;
        for (int i = 0; i < arguments.length; i++) {
            String argument = arguments[i];
            switch (argument) {
                case "--peers" -> peers = true;
                case "--json" -> json = true;
                case "--quick" -> quick = true;
                case "--rounds" -> rounds = number(argument, arguments, ++i, 1, ROUNDS_MAX);
                case "--jobs" -> jobs = number(argument, arguments, ++i, JOBS_MIN, JOBS_MAX);
                case "--doc" -> doc = Path.of(text(argument, arguments, ++i));
                default -> subject = subject(argument, i);
            }
        }
        return new BenchOptions(subject, peers, json, rounds != null ? rounds : quick ? 1 : ROUNDS, jobs, doc, quick);
    }

    private static Subject subject(String argument, int position) {
        return Arrays.stream(Subject.values())
                .filter(subject -> position == 0 && subject.name().equalsIgnoreCase(argument))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        argument.startsWith("-") || position > 0
                                ? "There is no option '" + argument + "'."
                                : "There is nothing called '" + argument + "' to measure, only " + Subject.names(", ")
                                        + "."));
    }

    private static String text(String option, String[] arguments, int at) {
        if (at >= arguments.length) {
            throw new IllegalArgumentException(option + " needs a value.");
        }
        return arguments[at];
    }

    private static int number(String option, String[] arguments, int at, int min, int max) {
        String text = at < arguments.length ? arguments[at] : "nothing";
        try {
            int number = Integer.parseInt(text);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new IllegalArgumentException(
                option + " needs a number from " + min + " to " + max + ", not " + text + ".");
    }
}
