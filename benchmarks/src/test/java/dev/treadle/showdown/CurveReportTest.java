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

/** The report of a curve of time over heap that was really measured, on small numbers; its files lie among the resources. */
class CurveReportTest {
    private static final Path RECORDED = Path.of("src/test/resources/dev/treadle/showdown/curve");
    private static final String TITLE = "FOP: how long it takes in which heap";

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
    void every_cell_is_what_its_file_says() throws Exception {
        List<String[]> table = table();
        List<String> heaps = Arrays.asList(table.get(0));
        int cells = 0;
        for (String[] row : table.subList(1, table.size())) {
            for (int column = 1; column < row.length; column++) {
                String id = "curve-"
                        + row[0].toLowerCase(Locale.ROOT)
                                .replace(" permits", "")
                                .replace(", heap guard", "-guard")
                                .replaceFirst(", ", "-fop-")
                                .replace(",", "")
                                .replace(' ', '-')
                        + "-" + heaps.get(column).replace(" MB", "").replace(",", "") + "mb-1.csv";
                String[] recorded = Files.readAllLines(raw.resolve(id)).get(1).split(",", -1);
                String expected = recorded[11].equals("FINISHED")
                        ? Units.seconds(Long.parseLong(recorded[13]) / 1_000.0)
                        : Fate.valueOf(recorded[11]).printed();
                assertEquals(expected, row[column], id);
                cells++;
            }
        }
        assertEquals(16, cells);
    }

    @Test
    void virtual_threads_stand_beside_what_the_pool_takes_where_it_has_all_the_heap_it_wants() throws Exception {
        rewrite("curve-jdk-25-pool-fop-16-512mb-1.csv", 13, "60000");
        rewrite("curve-jdk-25-pool-fop-16-512mb-1.csv", 15, "98");
        rewrite("curve-jdk-25-virtual-fop-1000-49mb-1.csv", 13, "15000");

        String report = report();

        assertTrue(
                report.contains(
                        "- JDK 25 pool, 16 permits takes 60.0 s and holds 98 MB of heap where it may have 512 MB."
                                + " JDK 25 virtual, 1,000 permits takes "),
                report);
        assertTrue(report.contains("15.0 s in 49 MB (50 % of that heap, 4.0 times the speed)"), report);
    }

    @Test
    void the_guard_is_compared_with_the_same_line_without_it() throws Exception {
        rewrite("curve-jdk-25-virtual-fop-1000-98mb-1.csv", 13, "10000");
        rewrite("curve-jdk-25-virtual-fop-1000-guard-98mb-1.csv", 13, "10400");
        rewrite("curve-jdk-25-virtual-fop-1000-49mb-1.csv", 13, "10000");
        rewrite("curve-jdk-25-virtual-fop-1000-guard-49mb-1.csv", 13, "12000");
        rewrite("curve-jdk-25-virtual-fop-1000-24mb-1.csv", 11, "OUT_OF_MEMORY");
        rewrite("curve-jdk-25-virtual-fop-1000-guard-24mb-1.csv", 13, "30000");
        rewrite("curve-jdk-25-virtual-fop-1000-guard-24mb-1.csv", 11, "FINISHED");

        String report = report();

        assertTrue(report.contains("- JDK 25 virtual, 1,000 permits, heap guard: in 512 MB "), report);
        assertTrue(report.contains("in 98 MB 10.4 s instead of 10.0 s (the same within 5 %)"), report);
        assertTrue(report.contains("in 49 MB 12.0 s instead of 10.0 s (20 % more)"), report);
        assertTrue(report.contains("in 24 MB with it 30.0, without it out of memory."), report);
    }

    @Test
    void a_round_that_died_is_told_beside_those_that_finished() throws Exception {
        Path first = raw.resolve("curve-jdk-25-virtual-fop-1000-98mb-1.csv");
        Files.writeString(
                raw.resolve("curve-jdk-25-virtual-fop-1000-98mb-2.csv"),
                Files.readString(first)
                        .replace("98mb-1", "98mb-2")
                        .replace(",FINISHED,,", ",OUT_OF_MEMORY,Java heap space,"));
        rewrite(first.getFileName().toString(), 13, "10000");

        assertTrue(
                table().stream().anyMatch(row -> List.of(row).contains("10.0 in 1 of 2 rounds, else out of memory")),
                report());
    }

    @Test
    void there_is_one_picture_for_the_files_and_one_drawing_in_the_page() throws Exception {
        report();
        String page = Files.readString(folder.resolve("report.html"));

        assertEquals(
                760, ImageIO.read(folder.resolve("heap-curve.png").toFile()).getWidth());
        assertTrue(report().contains("](heap-curve.png)"));
        assertTrue(page.contains("aria-label=\"" + TITLE + "\""), page);
        assertFalse(page.contains("src=") || page.contains("<script"), page);
        assertFalse(Files.exists(folder.resolve("heap.png")), "nobody looked at the heap over time");
    }

    private void rewrite(String file, int column, String value) throws IOException {
        List<String> lines = new ArrayList<>(Files.readAllLines(raw.resolve(file)));
        String[] values = lines.get(1).split(",", -1);
        values[column] = value;
        lines.set(1, String.join(",", values));
        Files.write(raw.resolve(file), lines);
    }

    private String report() throws IOException {
        new Report(new RawFolder(raw)).write(folder);
        return Files.readString(folder.resolve("report.md"));
    }

    private List<String[]> table() throws IOException {
        return report().lines()
                .dropWhile(line -> !line.equals("## " + TITLE))
                .skip(1)
                .takeWhile(line -> !line.startsWith("## "))
                .filter(line -> line.startsWith("|") && !line.startsWith("|---"))
                .map(line -> line.substring(2, line.length() - 2).split(" \\| ", -1))
                .toList();
    }
}
