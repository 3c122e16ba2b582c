package dev.treadle.benchmark;

import java.nio.file.Path;
import java.time.Duration;
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
 * @param rounds  how often each contender is measured, interleaved with the others; null for what suits the subject
 * @param jobs    how many jobs Treadle runs in a drain, from which all other counts follow; null for each workload's own
 * @param doc     the page whose tables are replaced by what is measured; null for none
 * @param quick   everything small: to see that it works, not to measure
 */
record BenchOptions(
        Subject subject,
        boolean peers,
        boolean json,
        @Nullable Integer rounds,
        @Nullable Integer jobs,
        @Nullable Path doc,
        boolean quick) {
    static final int ROUNDS_MAX = 100;
    static final int JOBS_MIN = 100;
    static final int JOBS_MAX = 10_000_000;
    private static final int ROUNDS = 5;
    /** When everything is measured, nothing is repeated after this. */
    static final Duration REPEAT_UNTIL = Duration.ofMinutes(20);

    static final String USAGE = """
            Usage: ./treadle bench [%s] [options]

              --peers       JobRunr, db-scheduler and Quartz too; DBOS in flow
              --json        results for machines: one object per line
              --rounds N    how often each is measured, interleaved (default %d; all: 1 to 3; --quick: 1)
              --jobs N      how many jobs Treadle runs in a drain; the other counts keep their proportion to it
              --doc FILE    replaces the measured tables of that page too
              --quick       everything small, to see that it works: not to measure

            all --peers takes up to 25 minutes on two cores, all alone 15: less often than the single commands, nodes without
            peers, and the published pool of 64 on a tenth of its tasks. With --rounds it takes as long as it takes.
            Needs Linux and 4 GB of memory. A PostgreSQL of its own is started below the temporary folder, and removed at the
            end and on Ctrl-C.
            """.formatted(Subject.names("|"), ROUNDS);

    /** What can be measured. */
    enum Subject {
        DRAIN,
        ENQUEUE,
        LATENCY,
        PERMIT,
        BLOCKING,
        START,
        COLD,
        PINNED,
        SCHEDULED,
        NODES,
        H2,
        LOOM,
        JDBC,
        FLOW,
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

    /** How often a group is measured. */
    int roundsOf(Group group) {
        return rounds != null ? rounds : quick ? 1 : subject == Subject.ALL ? group.roundsOfAll() : ROUNDS;
    }

    /** How often one process measures the hot paths. */
    int forks() {
        return rounds != null ? rounds : subject == Subject.ALL ? 1 : ROUNDS;
    }

    /** Whether it has to end in the time that the usage page says. */
    boolean isBounded() {
        return rounds == null && subject == Subject.ALL;
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
        return new BenchOptions(subject, peers, json, rounds, jobs, doc, quick);
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
