package dev.treadle.example.slip;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgressTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # done | before | millis  | line
            0      | 0      | 0       | ░░░░░░░░░░░░░░░░░░░░░░░░ 0/2,000 slips  0.0/s  ETA –  more
            500    | 0      | 10000   | ██████░░░░░░░░░░░░░░░░░░ 500/2,000 slips  50.0/s  ETA 30 s  more
            500    | 400    | 10000   | ██████░░░░░░░░░░░░░░░░░░ 500/2,000 slips  10.0/s  ETA 150 s  more
            400    | 400    | 10000   | ████░░░░░░░░░░░░░░░░░░░░ 400/2,000 slips  0.0/s  ETA –  more
            1999   | 0      | 1000000 | ███████████████████████░ 1,999/2,000 slips  2.0/s  ETA 1 s  more
            2000   | 0      | 1000000 | ████████████████████████ 2,000/2,000 slips  2.0/s  ETA 0 s  more
            """)
    void the_line_says_how_far_the_run_is(int done, int before, long millis, String line) {
        Progress progress = new Progress(out, false, 2_000);

        assertEquals(line, progress.line(done, before, Duration.ofMillis(millis), "more"));
    }

    @Test
    void numbers_look_the_same_everywhere() {
        Locale usual = Locale.getDefault();
        try {
            Locale.setDefault(Locale.GERMANY);

            assertTrue(new Progress(out, false, 2_000)
                    .line(1_500, 0, Duration.ofSeconds(1_000), "")
                    .contains("1,500/2,000 slips  1.5/s"));
        } finally {
            Locale.setDefault(usual);
        }
    }

    @Test
    void the_largest_run_does_not_overflow_the_bar() {
        int most = DemoOptions.EMPLOYEES_MAX;

        assertTrue(new Progress(out, false, most)
                .line(most, 0, Duration.ofMillis(1), "")
                .startsWith("█".repeat(24) + " "));
    }

    @Test
    void a_terminal_sees_one_line_that_is_drawn_anew() {
        Progress progress = new Progress(out, true, 10);
        progress.show(1, 0, Duration.ofSeconds(1), "");
        progress.end(2, 0, Duration.ofSeconds(2), "");

        String[] drawn = printed().split("\r\u001b\\[K", -1);
        assertEquals(3, drawn.length, printed());
        assertTrue(drawn[1].contains(" 1/10 slips") && !drawn[1].contains("\n"), printed());
        assertTrue(drawn[2].contains(" 2/10 slips") && drawn[2].endsWith(System.lineSeparator()), printed());
    }

    @Test
    void a_log_gets_a_line_every_five_seconds_and_the_last() {
        Progress progress = new Progress(out, false, 10);
        for (int second = 0; second <= 12; second++) {
            progress.show(second / 2, 0, Duration.ofSeconds(second), "");
        }
        progress.end(10, 0, Duration.ofSeconds(13), "");

        assertEquals(4, printed().lines().count(), printed());
        assertTrue(printed().lines().skip(1).findFirst().orElse("").contains(" 2/10 slips"), printed());
        assertTrue(printed().lines().skip(3).findFirst().orElse("").contains(" 10/10 slips"), printed());
    }

    private String printed() {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
