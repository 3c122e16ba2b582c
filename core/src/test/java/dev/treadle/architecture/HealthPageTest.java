package dev.treadle.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.treadle.health.HealthProblem.Rule;
import dev.treadle.health.Verdict.Level;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The tables of levels and problems in docs/watching.md. */
class HealthPageTest {
    private static final Pattern LEVEL = Pattern.compile("\\| `([A-Z]+)` \\| .* \\|");
    private static final Pattern PROBLEM = Pattern.compile("\\| `([a-z-]+)` \\| .* \\| `[A-Z]+`(, `[A-Z]+`)? \\|");

    @Test
    void the_page_has_each_level_and_each_problem() throws IOException {
        assertEquals(
                names(Level.values(), Level::name).stream().sorted().toList(),
                rows(LEVEL).stream().sorted().toList());
        assertEquals(names(Rule.values(), Rule::id), rows(PROBLEM));
    }

    private static <T> List<String> names(T[] values, Function<T, String> name) {
        return Arrays.stream(values).map(name).toList();
    }

    private static List<String> rows(Pattern pattern) throws IOException {
        return Files.readAllLines(Pages.page("docs/watching.md")).stream()
                .map(pattern::matcher)
                .filter(Matcher::matches)
                .map(row -> row.group(1))
                .toList();
    }
}
