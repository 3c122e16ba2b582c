package dev.treadle.example.slip;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the demo was asked for on the command line.
 *
 * @param employees how many slips, 1 to {@value #EMPLOYEES_MAX}
 * @param executor  {@code auto}, {@code virtual}, {@code pool} or another executor's name
 * @param workers   jobs at once; null leaves it to the executor
 * @param storage   {@code h2}, {@code memory} or a {@code jdbc:} URL
 * @param timeClock how long the time clock takes
 * @param out       where the PDFs go
 * @param data      where the H2 file lives
 * @param exit      end when done, with a status that says whether every slip is there
 * @param port      where the dashboard is, or the next free one; 0 for none
 * @param clean     no jobs that are meant to fail
 * @param renderer  how a slip becomes a PDF
 * @param memory    what a slip holds while it waits, and whether the heap is guarded
 * @param approval  whether the payroll joins its slips and waits for a person
 */
record DemoOptions(
        int employees,
        String executor,
        @Nullable Integer workers,
        String storage,
        TimeClock timeClock,
        Path out,
        Path data,
        boolean exit,
        int port,
        boolean clean,
        Renderer renderer,
        Memory memory,
        boolean approval) {
    /** Most slips in one run. */
    static final int EMPLOYEES_MAX = 100_000;

    static final String USAGE = """
            ./treadle demo: a company's salary slips, from a Word template to one PDF for each employee

              --employees N       how many slips (2000)
              --executor NAME     auto, virtual, pool, or the name of an executor of yours (auto)
              --workers N         jobs at once (the executor's default: pool 8 x cores, virtual 1000)
              --storage WHERE     h2, memory, or a URL: jdbc:postgresql://host:port/database?user=…&password=…,
                                  jdbc:mariadb://… (h2)
              --renderer NAME     fop (the Word template is converted once) or docx4j (anew for each slip: slow and heavy) (fop)
              --time-clock A-B    how long the time clock takes to answer, such as 3s-5s, 250ms or 0s (3s-5s)
              --out DIR           where the PDFs go (out)
              --data DIR          where the H2 file lives; the same folder again goes on with what was left (data)
              --port N            where the dashboard is, or the next free port; 0 for none (8000)
              --clean             leave out the few jobs that are meant to fail
              --hold KB           what each slip keeps in memory from before it asks the time clock until its PDF is there, such
                                  as scans of time sheets (0)
              --heap-guard        admit fewer slips at once when the heap fills up, more when there is room
              --approval          the payroll spawns its slips, joins them, spawns a report, and waits to be approved: here, or
                                  at once with --exit or without a console
              --help              this page
              --exit              end when done; the status is 0 only if every slip is there
            """;

    private static final List<String> FLAGS = List.of("--exit", "--clean", "--heap-guard", "--approval");
    private static final List<String> WITH_VALUE = List.of(
            "--employees",
            "--executor",
            "--workers",
            "--storage",
            "--time-clock",
            "--renderer",
            "--hold",
            "--out",
            "--data",
            "--port");
    private static final Pattern WAIT = Pattern.compile("(\\d+)(ms|s)");

    /** @throws IllegalArgumentException saying which option is wrong and what it may be */
    static DemoOptions parse(String... args) {
        Map<String, String> given = given(args);
        return new DemoOptions(
                number(given, "--employees", 1, EMPLOYEES_MAX, 2_000),
                given.getOrDefault("--executor", "auto"),
                given.containsKey("--workers") ? number(given, "--workers", 1, 100_000, 1) : null,
                storage(given.getOrDefault("--storage", "h2")),
                timeClock(given.getOrDefault("--time-clock", "3s-5s")),
                Path.of(given.getOrDefault("--out", "out")),
                Path.of(given.getOrDefault("--data", "data")),
                given.containsKey("--exit"),
                number(given, "--port", 0, 65_535, 8_000),
                given.containsKey("--clean"),
                Renderer.named(given.getOrDefault("--renderer", "fop")),
                new Memory(number(given, "--hold", 0, Memory.KILOBYTES_MAX, 0), given.containsKey("--heap-guard")),
                given.containsKey("--approval"));
    }

    /** The options by name, flags with an empty value. The last of two counts. */
    private static Map<String, String> given(String... args) {
        Map<String, String> given = new HashMap<>();
        for (int i = 0; i < args.length; i++) {
            int equals = args[i].indexOf('=');
            String option = args[i].startsWith("--") && equals > 0 ? args[i].substring(0, equals) : args[i];
            if (FLAGS.contains(option) && equals < 0) {
                given.put(option, "");
            } else if (!WITH_VALUE.contains(option)) {
                throw new IllegalArgumentException("There is no option '" + option + "'.");
            } else if (equals > 0) {
                given.put(option, args[i].substring(equals + 1));
            } else if (i + 1 == args.length) {
                throw new IllegalArgumentException(option + " needs a value.");
            } else {
                given.put(option, args[++i]);
            }
        }
        return given;
    }

    private static int number(Map<String, String> given, String option, int min, int max, int usual) {
        String value = given.get(option);
        if (value == null) {
            return usual;
        }
        if (!value.matches("\\d{1,9}") || Integer.parseInt(value) < min || Integer.parseInt(value) > max) {
            throw new IllegalArgumentException(
                    option + " takes a number from " + min + " to " + max + ", not '" + value + "'.");
        }
        return Integer.parseInt(value);
    }

    private static String storage(String value) {
        if (!value.equals("h2") && !value.equals("memory") && !value.startsWith("jdbc:")) {
            throw new IllegalArgumentException(
                    "--storage takes h2, memory or a URL such as jdbc:postgresql://localhost:5432/jobs?user=jobs, not '"
                            + value + "'.");
        }
        return value;
    }

    private static TimeClock timeClock(String value) {
        String[] ends = value.split("-", 2);
        return new TimeClock(wait(value, ends[0]), wait(value, ends[ends.length - 1]));
    }

    private static Duration wait(String all, String one) {
        Matcher wait = WAIT.matcher(one);
        if (!wait.matches()) {
            throw new IllegalArgumentException(
                    "--time-clock takes waits such as 3s-5s, 250ms or 0s, not '" + all + "'.");
        }
        long number = Long.parseLong(wait.group(1));
        return wait.group(2).equals("s") ? Duration.ofSeconds(number) : Duration.ofMillis(number);
    }

    /**
     * What a slip holds of the heap while it waits.
     *
     * @param kilobytes for each slip, 0 to {@value #KILOBYTES_MAX}
     * @param guarded   whether fewer run at once when the heap fills up
     */
    record Memory(int kilobytes, boolean guarded) {
        static final int KILOBYTES_MAX = 1_000_000;
    }
}
