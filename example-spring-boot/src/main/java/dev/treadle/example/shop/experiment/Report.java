package dev.treadle.example.shop.experiment;

import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** The tables, and the page around them. */
final class Report {
    private static final long KB_PER_MB = 1024;

    private final Amount amount;
    private final Map<String, Results> results;

    /** @param results by the names of their setups; the first is what the others are compared with */
    Report(Amount amount, Map<String, Results> results) {
        this.amount = amount;
        this.results = results;
    }

    String tables() {
        return String.format(
                Locale.ROOT,
                """
                ## Requests that wait

                %,d requests that wait %,d ms each, %,d clients at once.

                %s
                ## Tasks that wait

                %,d tasks of `@Async` that wait %,d ms each, submitted at once.

                %s
                ## Jobs that wait

                %,d jobs that wait %,d ms each, enqueued at once and kept in H2.

                %s""",
                amount.requests(),
                amount.waitMillis(),
                amount.clients(),
                table("requests", Results.Round::requests),
                amount.tasks(),
                amount.workMillis(),
                table("tasks", Results.Round::tasks),
                amount.jobs(),
                amount.workMillis(),
                table("jobs", Results.Round::jobs));
    }

    private String table(String what, Function<Results.Round, Measured> kind) {
        boolean single = what.equals("requests");
        StringBuilder table = new StringBuilder("| | " + what + "/s | times the first |" + (single ? " p99, ms |" : "")
                + " platform threads | heap, MB | process, MB |\n|---|---:|---:|" + (single ? "---:|" : "")
                + "---:|---:|---:|\n");
        double first = 0;
        for (Map.Entry<String, Results> row : results.entrySet()) {
            Results rounds = row.getValue();
            double perSecond = rounds.median(kind, Measured::perSecond);
            first = first == 0 ? perSecond : first;
            double process = rounds.median(kind, one -> one.figures().processKb());
            table.append(String.format(
                    Locale.ROOT,
                    "| %s | %,.0f | %.1f |%s %,.0f | %,.0f | %s |%n".replace("%n", "\n"),
                    row.getKey(),
                    perSecond,
                    perSecond / first,
                    single ? String.format(Locale.ROOT, " %,.0f |", rounds.median(kind, Measured::p99Millis)) : "",
                    rounds.median(kind, one -> one.figures().threads()),
                    rounds.median(kind, one -> one.figures().heapKb()) / KB_PER_MB,
                    process < 0 ? "–" : String.format(Locale.ROOT, "%,.0f", process / KB_PER_MB)));
        }
        return table.toString();
    }

    /** The whole page. */
    String page(Machine machine, String day, String options) {
        String load = machine.before() < 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "\n  The load average was %.1f before and %.1f after."
                                + " If it was above the number of cores before,\n  others used the machine, too.",
                        machine.before(),
                        machine.after());
        return """
                # Spring Boot on virtual threads

                In 2022 the Spring team published an experiment (Embracing Virtual Threads): an application whose Tomcat and
                whose task executor use virtual threads instead of pools. This page repeats it with `example-spring-boot`, and
                adds jobs. It was written by

                    ./treadle spring %s

                The first and the last row of each table differ in `spring.threads.virtual.enabled` only. The row between
                them has as many platform threads as there is work at once.

                %s
                ## How it was measured

                - Machine: %s. The client, the shop and its H2 share it.%s
                - Day: %s. Rounds: %d, in turn, each in a new process; a figure is their median. Compare rows, not figures
                  with those of another machine.
                - The client is the JDK's `HttpClient`, on loopback. Every request must be answered with 200.
                - Platform threads are those of the JVM at most, carriers of virtual threads included. The heap is what was
                  left after a collection in the middle of the work. The process is its resident memory at that moment, with
                  the stacks of platform threads. In the first row less is held because less waits at once.
                - In the first row Tomcat has 200 threads, the task executor 8, and Treadle's pool 8 for each core.
                - This work only waits. Work that computes is not faster on virtual threads.
                """.formatted(options, tables(), machine.text(), load, day, amount.rounds());
    }
}
