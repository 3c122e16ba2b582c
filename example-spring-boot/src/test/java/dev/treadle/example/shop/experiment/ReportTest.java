package dev.treadle.example.shop.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is made of measurements. */
class ReportTest {
    private static Results results(double... perSecond) {
        Results results = new Results();
        for (double one : perSecond) {
            Measured requests = new Measured(one, 1_234, new Figures(56, 7_168, 102_400));
            Measured work = new Measured(one * 2, -1, new Figures(78, 9_216, -1));
            results.add(new Results.Round(requests, work, work));
        }
        return results;
    }

    @Test
    void a_table_has_medians_and_compares_with_its_first_row() {
        Map<String, Results> results = new LinkedHashMap<>();
        results.put("pool", results(100, 300, 200));
        results.put("virtual", results(1_000));

        List<String> lines = new Report(Amount.FULL, results).tables().lines().toList();

        assertEquals(
                List.of(
                        "| | requests/s | times the first | p99, ms | platform threads | heap, MB | process, MB |",
                        "|---|---:|---:|---:|---:|---:|---:|",
                        "| pool | 200 | 1.0 | 1,234 | 56 | 7 | 100 |",
                        "| virtual | 1,000 | 5.0 | 1,234 | 56 | 7 | 100 |"),
                lines.subList(4, 8));
        assertTrue(lines.contains("| virtual | 2,000 | 5.0 | 78 | 9 | – |"), lines::toString);
    }

    @Test
    void the_page_names_command_machine_and_day() {
        String page = new Report(Amount.FULL, Map.of("pool", results(1)))
                .page(new Machine("3 cores", 1.23, 4.56), "2026-01-02", "--experiment --quick");

        for (String part : List.of(
                "    ./treadle spring --experiment --quick\n",
                "Machine: 3 cores.",
                "The load average was 1.2 before and 4.6 after.",
                "Day: 2026-01-02. Rounds: 3,")) {
            assertTrue(page.contains(part), () -> part + " is missing in\n" + page);
        }
    }

    @Test
    void the_page_in_the_docs_is_as_the_report_writes_it() throws IOException {
        Map<String, Results> results = new LinkedHashMap<>();
        Measured any = new Measured(1, 1, new Figures(1, 1, 1));
        for (Setup setup : Setup.all()) {
            Results rounds = new Results();
            rounds.add(new Results.Round(any, any, any));
            results.put(setup.name(), rounds);
        }
        String written = new Report(Amount.FULL, results).page(new Machine("some", 1, 1), "2026-01-01", "");

        assertEquals(
                withoutFigures(written),
                withoutFigures(Files.readString(Path.of("..", "docs", "spring-experiment.md"))));
    }

    /** Nor what differs from machine to machine. */
    private static List<String> withoutFigures(String page) {
        return page.lines()
                .filter(line -> !line.startsWith("    ./treadle"))
                .map(line -> line.replaceFirst("^- Machine: .*`\\. |^- Machine: some\\. ", "- Machine: "))
                .map(line -> line.replaceAll("[0-9][0-9,.]*", "#"))
                .toList();
    }

    @Test
    void the_slowest_hundredth_begins_at_its_fastest() {
        long[] nanos = new long[200];
        for (int i = 0; i < nanos.length; i++) {
            nanos[i] = i * 1_000_000L;
        }

        assertEquals(197, LoadClient.p99(nanos));
        assertEquals(0, LoadClient.p99(new long[] {7}));
    }
}
