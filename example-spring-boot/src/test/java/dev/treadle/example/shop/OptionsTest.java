package dev.treadle.example.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.example.shop.experiment.Amount;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code ./treadle spring} takes. */
class OptionsTest {
    @Test
    void without_options_the_shop_runs_on_h2_and_on_the_best_threads() {
        Options options = Options.parse();

        assertNull(options.experiment());
        assertEquals(
                "--server.port=8080 --spring.datasource.url=jdbc:h2:file:"
                        + Path.of("shop-data", "shop").toAbsolutePath() + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE"
                        + " --spring.threads.virtual.enabled=true",
                String.join(" ", options.forSpring()));
    }

    @Test
    void options_reach_spring_boot() {
        Options options =
                Options.parse("--port=1234", "--storage", "jdbc:postgresql://localhost/a", "--threads", "platform");

        assertEquals(
                "--server.port=1234 --spring.datasource.url=jdbc:postgresql://localhost/a"
                        + " --spring.threads.virtual.enabled=false",
                String.join(" ", options.forSpring()));
    }

    @Test
    void the_experiment_can_be_smaller_and_be_written_down() {
        assertEquals(Amount.FULL, Options.parse("--experiment").experiment());
        assertEquals(
                Amount.FULL.quick().withRounds(2),
                Options.parse("--experiment", "--quick", "--rounds", "2").experiment());
        assertEquals(
                Path.of("a.md"), Options.parse("--doc", "a.md", "--experiment").doc());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --colour             | There is no option '--colour'.
            --port               | --port needs a value.
            --colour=red         | There is no option '--colour'.
            --port=0             | --port takes a number from 1 to 65535, not '0'.
            --port=x             | --port takes a number from 1 to 65535, not 'x'.
            --rounds=21          | --rounds takes a number from 1 to 20, not '21'.
            --storage=mysql      | --storage takes h2 or a URL such as jdbc:postgresql://localhost/shop?user=shop, not 'mysql'.
            --threads=green      | --threads takes virtual or platform, not 'green'.
            --quick              | --quick, --rounds and --doc belong to --experiment.
            --doc=a.md           | --quick, --rounds and --doc belong to --experiment.
            """, quoteCharacter = '"')
    void what_cannot_be_is_refused_with_what_may_be(String option, String message) {
        assertEquals(
                message,
                assertThrows(IllegalArgumentException.class, () -> Options.parse(option))
                        .getMessage());
    }

    @ParameterizedTest
    @CsvSource({"--threads=virtual, --threads virtual", "--experiment, --experiment"})
    void virtual_threads_need_a_java_that_has_them(String option, String named) {
        Options options = Options.parse(option);

        Command.checkJava(options, 21);
        String message = assertThrows(IllegalArgumentException.class, () -> Command.checkJava(options, 17))
                .getMessage();
        assertTrue(message.startsWith(named + " needs Java 21, and this is Java 17."), message);
        Command.checkJava(Options.parse("--threads=platform"), 17);
        Command.checkJava(Options.parse(), 17);
    }
}
