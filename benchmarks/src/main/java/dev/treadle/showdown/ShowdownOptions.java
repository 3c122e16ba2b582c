package dev.treadle.showdown;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the command line asks for.
 *
 * @param employees    how many slips in a run
 * @param rounds       how often each is measured, interleaved with the others
 * @param renderers    how slips become PDFs, {@code fop} and {@code docx4j}
 * @param timeClock    how long a slip waits for the time clock, as the demo takes it
 * @param heap         the most heap that a run may take, in MB
 * @param out          where the report goes
 * @param smallestHeap search for the smallest heap instead of measuring
 * @param reportOnly   write the report again from what lies in {@code out}
 * @param curve        measure how long it takes in each heap instead
 */
record ShowdownOptions(
        int employees,
        int rounds,
        List<String> renderers,
        String timeClock,
        int heap,
        Path out,
        boolean smallestHeap,
        boolean reportOnly,
        CurveOptions curve) {
    static final int EMPLOYEES_MAX = 100_000;
    static final int ROUNDS_MAX = 20;
    static final int HEAP_MIN = 64;
    static final int HEAP_MAX = 65_536;

    static final String USAGE = """
            Usage: ./treadle showdown [options]

            The salary slips on each executor: a pool on JDK 17, a pool on the newest JDK, virtual threads on the newest JDK. Each
            run in a fresh JVM with the same heap flags and collector, interleaved, watched from outside over JMX four times a
            second; with the permits that each executor has by default (8 x cores, 1,000), and again with 1,000 for all. Writes
            report.md, report.html and heap.png, and in raw/ what they are made from (.csv), what each JVM printed (.log) and
            recorded (.jfr), and the recording's settings (.jfc).

              --employees N       how many slips in a run (2000; --quick: 60)
              --rounds N          how often each is measured (3; --quick: 1)
              --renderer NAMES    fop, docx4j (the published heavy way: the Word document is converted anew for each slip)
                                  or both, also as fop,docx4j (both; --quick: fop)
              --time-clock A-B    how long each slip waits for the time clock, as in ./treadle demo (3s-5s)
              --heap MB           -Xmx of every run (4096)
              --quick             small: to see that it works, in about two minutes
              --heap-curve        instead of that, measures how long all slips take in each heap: the largest (--heap), what the
                                  pool holds there by itself, a half and a quarter of that, and the smallest heaps where
                                  --smallest-heap has found them. Adds tables and heap-curve.png to the report. What lies in
                                  the folder already is not measured again: a long measurement can be done in pieces, also
                                  several at once into one folder, and goes on after Ctrl-C
              --heaps MB,MB,…     these heaps instead
              --lines NAME,…      some of virtual, pool (as many permits as each has by default) and pool-1000, each also with
                                  +guard, on the newest JDK; the pools also on the oldest: old-pool, old-pool-1000
                                  (virtual,virtual+guard,pool-1000,pool-1000+guard,pool,pool+guard;
                                  --quick: virtual,virtual+guard,pool)
              --minutes N         begins no run of the curve that would probably end later than in so many minutes; the exit
                                  code is 3 while some are left
              --smallest-heap     instead of that, finds by bisection the smallest -Xmx at which all slips finish, for each
                                  executor and renderer, and adds it to the report in the same folder
              --report            only writes the report again from the CSV in the folder
              --out DIR           where all of it goes (showdown)

            An estimate is printed first. A run that takes three times as long as estimated and a minute is ended and reported as
            such. Others who use the machine at the same time are noticed and named in the report; Ctrl-C ends the runs too.
            """;

    private static final List<String> RENDERERS = List.of("fop", "docx4j");
    private static final Set<String> FLAGS = Set.of("--quick", "--smallest-heap", "--report", "--heap-curve");
    private static final Set<String> VALUES = Set.of(
            "--employees",
            "--rounds",
            "--renderer",
            "--time-clock",
            "--heap",
            "--out",
            "--heaps",
            "--lines",
            "--minutes");

    private static final Pattern WAIT = Pattern.compile("(\\d{1,6})(ms|s)");

    /** @throws IllegalArgumentException with a sentence for people */
    static ShowdownOptions parse(String... arguments) {
        Map<String, String> given = new TreeMap<>();
        for (int i = 0; i < arguments.length; i++) {
            String argument = arguments[i];
            int equals = argument.indexOf('=');
            String option = equals > 0 ? argument.substring(0, equals) : argument;
            if (FLAGS.contains(argument)) {
                given.put(argument, "");
            } else if (!VALUES.contains(option)) {
                throw new IllegalArgumentException("There is no option '" + argument + "'.");
            } else if (equals > 0) {
                given.put(option, argument.substring(equals + 1));
            } else if (i + 1 < arguments.length) {
                given.put(option, arguments[++i]);
            } else {
                throw new IllegalArgumentException(argument + " needs a value.");
            }
        }
        boolean quick = given.containsKey("--quick");
        return new ShowdownOptions(
                number(given, "--employees", quick ? 60 : 2_000, 1, EMPLOYEES_MAX),
                number(given, "--rounds", quick ? 1 : 3, 1, ROUNDS_MAX),
                renderers(given.getOrDefault("--renderer", quick ? "fop" : "both")),
                timeClock(given.getOrDefault("--time-clock", "3s-5s")),
                number(given, "--heap", 4_096, HEAP_MIN, HEAP_MAX),
                Path.of(given.getOrDefault("--out", "showdown")),
                given.containsKey("--smallest-heap"),
                given.containsKey("--report"),
                CurveOptions.of(given, quick));
    }

    /** The mean of the shortest and the longest wait, in seconds. */
    double meanWait() {
        String[] ends = timeClock.split("-", 2);
        return (seconds(ends[0]) + seconds(ends[ends.length - 1])) / 2;
    }

    private static double seconds(String wait) {
        Matcher matcher = WAIT.matcher(wait);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "--time-clock takes waits such as 3s-5s, 250ms or 0s, not '" + wait + "'.");
        }
        return Integer.parseInt(matcher.group(1)) / (matcher.group(2).equals("s") ? 1.0 : 1_000.0);
    }

    private static String timeClock(String value) {
        String[] ends = value.split("-", 2);
        if (seconds(ends[0]) > seconds(ends[ends.length - 1])) {
            throw new IllegalArgumentException("--time-clock takes a range such as 3s-5s, not '" + value + "'.");
        }
        return value;
    }

    private static List<String> renderers(String value) {
        List<String> named = value.equals("both") ? RENDERERS : List.of(value.split(",", -1));
        if (!RENDERERS.containsAll(named)) {
            throw new IllegalArgumentException("--renderer takes fop, docx4j or both, not '" + value + "'.");
        }
        return named.stream().distinct().toList();
    }

    private static int number(Map<String, String> given, String option, int otherwise, int min, int max) {
        String text = given.get(option);
        return text == null ? otherwise : number(option, text, min, max);
    }

    /** @throws IllegalArgumentException with the range */
    static int number(String option, String text, int min, int max) {
        if (!text.matches("\\d{1,9}") || Integer.parseInt(text) < min || Integer.parseInt(text) > max) {
            throw new IllegalArgumentException(
                    option + " takes a number from " + min + " to " + max + ", not '" + text + "'.");
        }
        return Integer.parseInt(text);
    }
}
