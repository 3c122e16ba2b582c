package dev.treadle.example.slip;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoOptionsTest {
    @Test
    void without_options_there_are_2000_slips_from_an_h2_file_with_a_slow_time_clock() {
        DemoOptions options = DemoOptions.parse();

        assertEquals(2_000, options.employees());
        assertEquals("auto", options.executor());
        assertNull(options.workers());
        assertEquals("h2", options.storage());
        assertEquals(new TimeClock(Duration.ofSeconds(3), Duration.ofSeconds(5)), options.timeClock());
        assertEquals(Path.of("out"), options.out());
        assertEquals(Path.of("data"), options.data());
        assertFalse(options.exit());
        assertEquals(8_000, options.port());
        assertFalse(options.clean());
        assertEquals(Renderer.FOP, options.renderer());
        assertEquals(new DemoOptions.Memory(0, false), options.memory());
        assertFalse(options.approval());
    }

    @Test
    void every_option_is_taken_with_a_space_or_with_an_equals_sign() {
        DemoOptions spaced = DemoOptions.parse(
                ("--employees 12 --executor virtual --workers 7 --storage memory --time-clock 250ms --out o --data d"
                                + " --exit --port 9000 --clean --renderer docx4j --hold 64 --heap-guard --approval")
                        .split(" "));
        DemoOptions equals = DemoOptions.parse(
                ("--employees=12 --executor=virtual --workers=7 --storage=memory --time-clock=250ms --out=o --data=d"
                                + " --exit --port=9000 --clean --renderer docx4j --hold=64 --heap-guard --approval")
                        .split(" "));

        assertEquals(spaced, equals);
        assertEquals(
                new DemoOptions(
                        12,
                        "virtual",
                        7,
                        "memory",
                        new TimeClock(Duration.ofMillis(250), Duration.ofMillis(250)),
                        Path.of("o"),
                        Path.of("d"),
                        true,
                        9_000,
                        true,
                        Renderer.DOCX4J,
                        new DemoOptions.Memory(64, true),
                        true),
                spaced);
    }

    @Test
    void a_url_may_hold_equals_signs_and_the_last_of_two_counts() {
        String url = "jdbc:postgresql://localhost:5432/jobs?user=jobs&password=x";

        assertEquals(url, DemoOptions.parse("--storage=" + url).storage());
        assertEquals(
                url, DemoOptions.parse("--storage", "memory", "--storage", url).storage());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            3s-5s     | 3000 | 5000
            0s        | 0    | 0
            250ms     | 250  | 250
            250ms-1s  | 250  | 1000
            """)
    void a_wait_is_one_or_a_range(String wait, long fastest, long slowest) {
        assertEquals(
                new TimeClock(Duration.ofMillis(fastest), Duration.ofMillis(slowest)),
                DemoOptions.parse("--time-clock", wait).timeClock());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            --employees 0            | --employees takes a number from 1 to 100000, not '0'.
            --employees 100001       | --employees takes a number from 1 to 100000, not '100001'.
            --employees -1           | --employees takes a number from 1 to 100000, not '-1'.
            --employees many         | --employees takes a number from 1 to 100000, not 'many'.
            --employees 99999999999  | --employees takes a number from 1 to 100000, not '99999999999'.
            --employees=             | --employees takes a number from 1 to 100000, not ''.
            --port 65536             | --port takes a number from 0 to 65535, not '65536'.
            --workers 0              | --workers takes a number from 1 to 100000, not '0'.
            --workers 100001         | --workers takes a number from 1 to 100000, not '100001'.
            --storage mysql          | --storage takes h2, memory or a URL such as jdbc:postgresql://localhost:5432/jobs?user=jobs, not 'mysql'.
            --renderer word          | --renderer takes fop or docx4j, not 'word'.
            --time-clock 3           | --time-clock takes waits such as 3s-5s, 250ms or 0s, not '3'.
            --time-clock 3s-         | --time-clock takes waits such as 3s-5s, 250ms or 0s, not '3s-'.
            --time-clock -5s         | --time-clock takes waits such as 3s-5s, 250ms or 0s, not '-5s'.
            --time-clock 5s-3s       | The time clock's waits must be a range such as 3s-5s, not PT5S to PT3S.
            --colour red             | There is no option '--colour'.
            --colour=red             | There is no option '--colour'.
            employees 12             | There is no option 'employees'.
            --colour                 | There is no option '--colour'.
            --employees              | --employees needs a value.
            --exit --out             | --out needs a value.
            """)
    void a_wrong_option_is_answered_with_what_it_may_be(String arguments, String message) {
        assertEquals(
                message,
                assertThrows(IllegalArgumentException.class, () -> DemoOptions.parse(arguments.split(" ")))
                        .getMessage());
    }

    @Test
    void every_option_stands_on_the_help_page() {
        for (String option : new String[] {
            "--employees",
            "--executor",
            "--workers",
            "--storage",
            "--time-clock",
            "--out",
            "--data",
            "--exit",
            "--port",
            "--clean",
            "--renderer",
            "--help"
        }) {
            assertTrue(DemoOptions.USAGE.contains("  " + option + " "), option);
        }
    }
}
