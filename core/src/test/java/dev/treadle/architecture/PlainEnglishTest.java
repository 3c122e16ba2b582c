package dev.treadle.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Pages, and comments and messages of main code, are written as a native engineer writes. */
class PlainEnglishTest {
    static Stream<String> words() {
        return Prose.INSTEAD.keySet().stream();
    }

    @Test
    void pages_say_it_plainly() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path page : Pages.all()) {
            found.addAll(Prose.inMarkdown(Pages.name(page), Files.readString(page)));
        }

        assertEquals(List.of(), found);
    }

    @Test
    void comments_and_messages_say_it_plainly() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path folder : CoreClasses.sourcesOfAllModules()) {
            for (Path file : javaIn(folder)) {
                found.addAll(Prose.inJava(Pages.name(file), Files.readString(file)));
            }
        }

        assertEquals(List.of(), found);
    }

    /** Not of migrations: what was applied to a database has a checksum. */
    @Test
    void statements_say_it_plainly() throws IOException {
        List<String> found = new ArrayList<>();
        int statements = 0;
        for (Path folder : CoreClasses.sourcesOfAllModules()) {
            Path resources = folder.resolveSibling("resources");
            if (Files.isDirectory(resources)) {
                for (Path file : in(resources, ".sql")) {
                    if (!file.toString().contains("migrations")) {
                        statements++;
                        found.addAll(Prose.inMarkdown(Pages.name(file), Files.readString(file)));
                    }
                }
            }
        }

        assertTrue(statements > 0);
        assertEquals(List.of(), found);
    }

    @ParameterizedTest
    @MethodSource("words")
    void each_word_is_found_in_a_page_a_comment_and_a_message_and_not_in_code(String word) {
        assertEquals(1, Prose.inMarkdown("a.md", "One " + word + " here.\n").size());
        assertEquals(
                1,
                Prose.inMarkdown("a.md", "One " + word.replace(' ', '\n') + " here.\n")
                        .size());
        assertEquals(
                1,
                Prose.inJava("A.java", "/** One\n * " + word.replace(" ", "\n * ") + ". */ class A {}")
                        .size());
        assertEquals(1, Prose.inJava("A.java", "class A { } // " + word).size());
        assertEquals(
                1,
                Prose.inJava("A.java", "class A { String a = \"Not " + word + "\"; }")
                        .size());
        assertEquals(
                1,
                Prose.inJava("A.java", "class A { String a = \"\"\"\n" + word + "\n\"\"\"; }")
                        .size());

        assertEquals(List.of(), Prose.inMarkdown("a.md", "```\n" + word + "\n```\nand `" + word + "`\n"));
        assertEquals(List.of(), Prose.inJava("A.java", "class A { void " + word.replace(' ', '_') + "() {} }"));
    }

    @Test
    void a_finding_says_where_and_what_to_write() {
        List<String> found = Prose.inMarkdown("a.md", "One.\n\nIt SHALL be.\n");

        assertEquals(List.of("a.md:3 says 'shall'; write " + Prose.INSTEAD.get("shall")), found);
    }

    private static List<Path> javaIn(Path folder) throws IOException {
        List<Path> java = in(folder, ".java");
        assertTrue(!java.isEmpty(), () -> "no sources in " + folder);
        return java;
    }

    private static List<Path> in(Path folder, String ending) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(ending)).toList();
        }
    }
}
