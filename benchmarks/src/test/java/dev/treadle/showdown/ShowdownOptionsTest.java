package dev.treadle.showdown;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShowdownOptionsTest {
    @Test
    void without_options_it_is_the_published_experiment_with_both_renderers() {
        assertEquals(
                new ShowdownOptions(
                        2_000,
                        3,
                        List.of("fop", "docx4j"),
                        "3s-5s",
                        4_096,
                        Path.of("showdown"),
                        false,
                        false,
                        CurveOptions.NOTHING),
                ShowdownOptions.parse());
        assertEquals(4, ShowdownOptions.parse().meanWait());
    }

    @Test
    void quick_is_small_and_gives_way_to_what_is_said() {
        ShowdownOptions quick = ShowdownOptions.parse("--quick", "--employees", "10");

        assertEquals(10, quick.employees());
        assertEquals(60, ShowdownOptions.parse("--quick").employees());
        assertEquals(1, quick.rounds());
        assertEquals(List.of("fop"), quick.renderers());
    }

    @Test
    void every_option_is_taken_with_a_space_or_with_an_equals_sign() {
        String given = "--employees 7 --rounds 2 --renderer docx4j --time-clock 250ms --heap 512 --out o";

        assertEquals(
                new ShowdownOptions(
                        7, 2, List.of("docx4j"), "250ms", 512, Path.of("o"), true, false, CurveOptions.NOTHING),
                ShowdownOptions.parse((given + " --smallest-heap").split(" ")));
        assertEquals(
                ShowdownOptions.parse(given.split(" ")),
                ShowdownOptions.parse(given.replaceAll("(--[a-z-]+) ", "$1=").split(" ")));
        assertEquals(0.25, ShowdownOptions.parse("--time-clock", "250ms").meanWait());
    }

    @Test
    void the_curve_has_its_own_heaps_lines_and_time() {
        CurveOptions curve = ShowdownOptions.parse(
                        "--heap-curve", "--heaps=4096,110", "--lines", "virtual,virtual+guard", "--minutes=35")
                .curve();

        assertEquals(new CurveOptions(true, List.of(4_096, 110), List.of("virtual", "virtual+guard"), 35), curve);
        assertEquals(CurveLine.QUICK, ShowdownOptions.parse("--quick").curve().lines());
        assertEquals(
                List.of("fop", "docx4j"),
                ShowdownOptions.parse("--renderer=fop,docx4j").renderers());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --employees 0      | --employees takes a number from 1 to 100000, not '0'.
            --rounds 21        | --rounds takes a number from 1 to 20, not '21'.
            --heap 63          | --heap takes a number from 64 to 65536, not '63'.
            --heap             | --heap needs a value.
            --renderer fop,    | --renderer takes fop, docx4j or both, not 'fop,'.
            --heaps 110,seven  | --heaps takes a number from 8 to 65536, not 'seven'.
            --heaps 7          | --heaps takes a number from 8 to 65536, not '7'.
            --minutes 0        | --minutes takes a number from 1 to 10000, not '0'.
            --lines pool+gard  | --lines takes some of virtual,virtual+guard,pool,pool+guard,pool-1000,pool-1000+guard,old-pool,old-pool+guard,old-pool-1000,old-pool-1000+guard, not 'pool+gard'.
            --renderer word    | --renderer takes fop, docx4j or both, not 'word'.
            --time-clock 3     | --time-clock takes waits such as 3s-5s, 250ms or 0s, not '3'.
            --time-clock 5s-3s | --time-clock takes a range such as 3s-5s, not '5s-3s'.
            --colour red       | There is no option '--colour'.
            quick              | There is no option 'quick'.
            --quick=yes        | There is no option '--quick=yes'.
            """)
    void a_wrong_option_is_answered_with_what_it_may_be(String arguments, String message) {
        assertEquals(
                message.trim(),
                assertThrows(
                                IllegalArgumentException.class,
                                () -> ShowdownOptions.parse(arguments.trim().split(" ")))
                        .getMessage()
                        .replace('"', '\''));
    }

    @Test
    void the_help_page_names_every_kind_of_file_that_is_written() {
        RawFolder raw = new RawFolder(Path.of("raw"));
        List.of(raw.recording("a-run"), raw.recordingSettings(), raw.log("a-run"), Path.of("raw/runs.csv"))
                .forEach(file -> {
                    String kind = file.toString().replaceAll(".*\\.", "");
                    assertTrue(ShowdownOptions.USAGE.contains("(." + kind + ")"), kind);
                    assertTrue(ShowdownOptions.USAGE.contains("in " + file.getParent() + "/"), file::toString);
                });
        List.of("report.md", "report.html", "heap.png", "heap-curve.png")
                .forEach(file -> assertTrue(ShowdownOptions.USAGE.contains(file), file));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--employees",
                "--rounds",
                "--renderer",
                "--time-clock",
                "--heap",
                "--quick",
                "--heap-curve",
                "--heaps",
                "--lines",
                "--minutes",
                "--smallest-heap",
                "--report",
                "--out"
            })
    void every_option_stands_on_the_help_page(String option) {
        assertTrue(ShowdownOptions.USAGE.contains("  " + option + " "), option);
    }
}
