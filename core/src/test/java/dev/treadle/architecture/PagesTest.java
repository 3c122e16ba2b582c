package dev.treadle.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages are wrapped, their links lead somewhere, and what two of them say is the same. */
class PagesTest {
    private static final Pattern STATUS =
            Pattern.compile("\\*\\*Status[.:]\\*\\* (Accepted|Superseded(?: in part)? by).*", Pattern.DOTALL);
    private static final Pattern INDEX_ROW =
            Pattern.compile("\\| \\[(\\d+)]\\((\\d{4}-[a-z0-9-]+\\.md)\\) \\| .+ \\| (accepted|superseded).* \\|");

    @Test
    void prose_is_wrapped() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : Pages.all()) {
            broken.addAll(Pages.tooLong(Pages.name(page), Files.readAllLines(page)));
        }

        assertEquals(List.of(), broken);
    }

    @Test
    void links_lead_somewhere() throws IOException {
        List<String> dead = new ArrayList<>();
        for (Path page : Pages.all()) {
            dead.addAll(Pages.deadLinks(page));
        }

        assertEquals(List.of(), dead);
    }

    @Test
    void each_decision_has_a_status_and_a_row_of_the_index_that_says_the_same() throws IOException {
        Map<String, String> index = new TreeMap<>();
        for (String line : Files.readAllLines(Pages.page("docs/adr/README.md"))) {
            Matcher row = INDEX_ROW.matcher(line);
            if (row.matches()) {
                assertTrue(row.group(2).startsWith(String.format("%04d-", Integer.parseInt(row.group(1)))), line);
                index.put(row.group(2), row.group(3));
            }
        }
        Map<String, String> said = new TreeMap<>();
        for (Path page : Pages.all()) {
            if (Pages.name(page).matches("docs/adr/\\d{4}-.*")) {
                String third = Files.readAllLines(page).get(2);
                Matcher status = STATUS.matcher(third);
                assertTrue(status.matches(), () -> Pages.name(page) + " has no status in its third line: " + third);
                said.put(
                        page.getFileName().toString(),
                        status.group(1).startsWith("Accepted") ? "accepted" : "superseded");
            }
        }

        assertFalse(said.isEmpty());
        assertEquals(said, index);
    }

    @Test
    void figures_of_the_readme_stand_on_the_page_about_performance() throws IOException {
        String readme = Files.readString(Pages.page("README.md"));
        String measured = Files.readString(Pages.page("docs/performance.md"));
        int begin = readme.indexOf("| | Treadle |");
        String table = readme.substring(begin, readme.indexOf("\n\n", begin));
        int figures = 0;
        for (String row : table.lines().skip(2).toList()) {
            String[] cells = row.split("\\|");
            for (int i = 2; i < cells.length; i++) {
                String figure = cells[i].strip();
                assertTrue(measured.contains(" " + figure + " "), () -> figure + " in the README was not measured");
                figures++;
            }
        }

        assertEquals(16, figures);
    }

    @Test
    void each_rule_finds_what_breaks_it(@TempDir Path folder) throws IOException {
        String wide = "word ".repeat(30);
        assertEquals(1, Pages.tooLong("a.md", List.of(wide)).size());
        assertEquals(
                0,
                Pages.tooLong("a.md", List.of("| " + wide + "|", "```", wide, "```", "    " + wide))
                        .size());
        assertEquals(
                0,
                Pages.tooLong("a.md", List.of("<!-- bench:a -->", wide, "<!-- /bench -->"))
                        .size());
        assertEquals(
                1,
                Pages.tooLong("a.md", List.of("<!-- bench:a -->", "<!-- /bench -->", wide))
                        .size());

        Path page = Files.writeString(folder.resolve("a.md"), "# One `two`: 3\n[a](#one-two-3) [b](b.md) [c](#one)\n");
        assertEquals(2, Pages.deadLinks(page).size());
        assertFalse(STATUS.matcher("**Context.** None.").matches());
    }
}
