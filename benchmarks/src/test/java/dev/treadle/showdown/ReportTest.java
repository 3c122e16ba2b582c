package dev.treadle.showdown;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report of a showdown that really ran, whose files lie among the resources: its figures are recomputed here. */
class ReportTest {
    private static final Path RECORDED = Path.of("src/test/resources/dev/treadle/showdown/raw");
    private static final double MEGABYTE = 1024 * 1024;

    @TempDir
    private Path folder;

    private Path raw;

    @BeforeEach
    void copy() throws IOException {
        raw = Files.createDirectory(folder.resolve("raw"));
        try (Stream<Path> files = Files.list(RECORDED)) {
            for (Path file : files.toList()) {
                Files.copy(file, raw.resolve(file.getFileName()));
            }
        }
    }

    @Test
    void every_figure_of_the_cost_table_is_what_the_files_say() throws Exception {
        List<String[]> table = table("What each run costs");
        List<String> names = Arrays.asList(table.get(0));
        assertEquals(6, table.size());
        for (String[] row : table.subList(1, table.size())) {
            String run = "jdk-" + row[0].substring(4).replace(' ', '-') + "-" + row[1] + "-" + row[2].replace(",", "")
                    + "-1";
            double ended = number(wall(run));
            List<String[]> seen = csv(run + "-samples");
            List<String[]> samples =
                    seen.stream().filter(sample -> number(sample[0]) <= ended).toList();
            assertEquals(megabytes(max(samples, 1)), row[names.indexOf("peak used MB")], run);
            assertEquals(megabytes(max(samples, 2)), row[names.indexOf("heap size MB")], run);
            assertEquals(String.format(Locale.ROOT, "%,.0f", max(samples, 4)), row[names.indexOf("threads")], run);
            assertEquals(String.format(Locale.ROOT, "%,.0f", max(samples, 5)), row[names.indexOf("jobs at once")], run);
            String[] last = samples.get(samples.size() - 1);
            String[] next = seen.get(samples.size());
            double cpu = number(last[3])
                    - number(seen.get(0)[3])
                    + (number(next[3]) - number(last[3]))
                            * (ended - number(last[0]))
                            / (number(next[0]) - number(last[0]));
            assertEquals(String.format(Locale.ROOT, "%.1f", cpu / 1e9), row[names.indexOf("CPU s")], run);
            collections(run, row, names);
        }
    }

    private String wall(String run) throws IOException {
        return csv("runs").stream()
                .filter(row -> row[0].equals(run))
                .findFirst()
                .orElseThrow()[11];
    }

    private void collections(String run, String[] row, List<String> names) throws IOException {
        List<String[]> all = csv(run + "-collections");
        double allocated = 0;
        double left = number(all.get(0)[4]);
        double liveMax = 0;
        double paused = 0;
        for (String[] one : all.subList(1, all.size())) {
            boolean isLast = one == all.get(all.size() - 1);
            if (number(one[3]) > 0) {
                allocated += number(one[3]) - left;
                left = number(one[4]);
            }
            liveMax = isLast ? liveMax : Math.max(liveMax, number(one[4]));
            paused += isLast ? 0 : number(one[5]);
        }
        assertEquals(megabytes(liveMax), row[names.indexOf("live max MB")], run);
        assertEquals(megabytes(left), row[names.indexOf("live end MB")], run);
        assertEquals(megabytes(allocated / 60), row[names.indexOf("allocated MB/slip")], run);
        assertEquals(String.format(Locale.ROOT, "%,.0f", paused / 1e3), row[names.indexOf("paused ms")], run);
    }

    @Test
    void the_published_shape_has_the_published_figures_and_ratios_of_ours() throws Exception {
        List<String[]> table = table("FOP, each executor's own permits");

        assertEquals("JDK 16 virtual (published)", table.get(0)[3]);
        assertEquals("JDK 25 virtual", table.get(0)[6]);
        assertEquals("6.8 / 4.7 GB", table.get(3)[1]);
        assertEquals("40 %", table.get(4)[3]);
        assertEquals("50 %", table.get(5)[3]);
        assertEquals("59 % / 64 %", table.get(6)[2]);
        double first = max(csv("jdk-17-pool-fop-16-1-samples"), 1);
        double last = max(csv("jdk-25-virtual-fop-1000-1-samples"), 1);
        assertEquals(String.format(Locale.ROOT, "%.0f %%", 100 * last / first), table.get(5)[6]);
    }

    @Test
    void equal_permits_have_a_table_of_their_own_in_which_virtual_threads_stand_too() throws Exception {
        List<String[]> table = table("FOP, equal permits");

        assertEquals(
                List.of("1,000", "1,000", "1,000"), Arrays.asList(table.get(1)).subList(4, 7));
        assertEquals(table("FOP, each executor's own permits").get(3)[6], table.get(3)[6]);
    }

    @Test
    void the_page_needs_nothing_else_and_shows_each_curve_once_per_table() throws Exception {
        report();
        String page = Files.readString(folder.resolve("report.html"));

        assertFalse(page.contains("src=") || page.contains("href=") || page.contains("<script"), page);
        assertEquals(6, page.split("<svg", -1).length - 1);
        assertTrue(page.contains("prefers-color-scheme: dark"));
        assertTrue(page.contains("width=device-width"));
    }

    @Test
    void the_picture_has_three_curves_side_by_side_for_each_table() throws Exception {
        report();
        var picture = ImageIO.read(folder.resolve("heap.png").toFile());

        assertEquals(1_200, picture.getWidth());
        assertEquals(540, picture.getHeight());
        assertTrue(Files.size(folder.resolve("heap.png")) < 200_000);
    }

    @Test
    void a_jdk_that_was_missing_and_a_run_that_died_are_told() throws Exception {
        rewrite("facts.csv", "JDK 17 pool,17[^\n]*", "JDK 17 pool,missing on this machine");
        rewrite("runs.csv", "jdk-17[^\n]*\n", "");
        rewrite("runs.csv", "(jdk-25-pool-fop-16[^\n]*),FINISHED,,[^,]*,60,", "$1,OUT_OF_MEMORY,Java heap space,0,12,");

        String report = report();

        assertTrue(report.contains("JDK 17 pool: missing on this machine, so its column is empty."), report);
        assertTrue(
                report.contains(
                        "Round 1 of JDK 25 pool with fop and 16 permits did not finish: out of memory, Java heap space;"
                                + " 12 of 60 slips were there."),
                report);
        assertEquals("–", table("FOP, each executor's own permits").get(2)[4]);
        assertEquals("–", table("FOP, each executor's own permits").get(2)[5]);
    }

    @Test
    void a_run_that_was_not_watched_to_its_end_is_told() throws Exception {
        rewrite("runs.csv", "others_permille", "others_permille,unwatched");
        rewrite("runs.csv", "(,\\d+)\n", "$1,\n");
        rewrite("runs.csv", "(jdk-25-pool-fop-16-1[^\n]*),\n", "$1,java.io.IOException: broken pipe\n");

        String report = report();

        assertTrue(
                report.contains("- Round 1 of JDK 25 pool with fop and 16 permits was not watched to its end"
                        + " (java.io.IOException: broken pipe): its heap,"),
                report);
        assertEquals(2, report.split("not watched to its end", -1).length, "the others were");
        assertEquals(
                List.of("jdk-25-pool-fop-16-1"),
                new RawFolder(raw)
                        .runs().stream()
                                .filter(run -> !run.isWhole())
                                .map(RunRow::run)
                                .toList());
    }

    @Test
    void what_was_not_seen_of_a_run_is_neither_the_same_nor_won() throws Exception {
        Files.delete(raw.resolve("jdk-25-virtual-fop-1000-1-collections.csv"));
        Files.delete(raw.resolve("jdk-25-pool-fop-16-1-samples.csv"));

        String[] seen =
                report().lines().filter(line -> line.startsWith("- FOP")).toArray(String[]::new);

        assertTrue(seen[0].contains("; heap size not known; peak used not known; live after"), seen[0]);
        assertTrue(seen[0].endsWith("Who wins is not known: there is no figure of heap size, peak used."), seen[0]);
        assertTrue(
                seen[1].contains("; live after a collection, at most, not known; allocated for each slip not known; "),
                seen[1]);
        assertFalse(seen[1].contains("Who wins"), seen[1]);
        assertTrue(Files.exists(folder.resolve("heap.png")), "with the curves that there are");
    }

    @Test
    void the_smallest_heaps_stand_in_the_report_with_how_the_next_smaller_died() throws Exception {
        new RawFolder(raw)
                .writeSmallest(List.of(new SmallestRow(
                        "JDK 25 virtual",
                        "fop",
                        1_000,
                        60,
                        "0s",
                        26,
                        25,
                        Fate.OVER_TIME,
                        "ended by force, 3 of 60",
                        9,
                        "64 finished")));

        assertEquals(
                List.of(
                        "JDK 25 virtual",
                        "fop",
                        "1,000",
                        "60 (0s)",
                        "26 MB",
                        "25 MB",
                        "over its time limit: ended by force; 3 of 60",
                        "9"),
                Arrays.asList(table("The smallest heap that finishes").get(1)));
    }

    @Test
    void a_showdown_of_nothing_has_a_report_too() throws Exception {
        try (Stream<Path> files = Files.list(raw)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }

        assertTrue(report().startsWith("# "));
        assertFalse(Files.exists(folder.resolve("heap.png")));
    }

    private void rewrite(String file, String pattern, String by) throws IOException {
        Path path = raw.resolve(file);
        String text = Files.readString(path);
        String changed = text.replaceAll(pattern, by);
        assertFalse(text.equals(changed), pattern);
        Files.writeString(path, changed);
    }

    private String report() throws IOException {
        new Report(new RawFolder(raw)).write(folder);
        return Files.readString(folder.resolve("report.md"));
    }

    /** The cells of the table below a heading, without the line that separates its names from its values. */
    private List<String[]> table(String title) throws IOException {
        List<String[]> rows = new ArrayList<>();
        report().lines()
                .dropWhile(line -> !line.equals("## " + title))
                .skip(1)
                .takeWhile(line -> !line.startsWith("## "))
                .filter(line -> line.startsWith("|") && !line.startsWith("|---"))
                .forEach(line -> rows.add(line.substring(2, line.length() - 2).split(" \\| ", -1)));
        rows.forEach(row -> assertEquals(rows.get(0).length, row.length, title));
        return rows;
    }

    private List<String[]> csv(String name) throws IOException {
        return Files.readAllLines(raw.resolve(name + ".csv")).stream()
                .skip(1)
                .map(line -> line.split(","))
                .toList();
    }

    private static double max(List<String[]> rows, int column) {
        return rows.stream().mapToDouble(row -> number(row[column])).max().orElseThrow();
    }

    private static double number(String text) {
        return Double.parseDouble(text);
    }

    private static String megabytes(double bytes) {
        return String.format(Locale.ROOT, bytes < 10 * MEGABYTE ? "%.1f" : "%,.0f", bytes / MEGABYTE);
    }
}
