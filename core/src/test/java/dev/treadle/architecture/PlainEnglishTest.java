package dev.treadle.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Pages, and comments and messages of main code, are written as a native engineer writes. */
class PlainEnglishTest {
    /** Packages whose sources are not held to it yet. Remove one when it is mended; never add one. */
    private static final Set<String> NOT_YET = Set.of();

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
        Set<String> needed = new TreeSet<>();
        for (Path folder : CoreClasses.sourcesOfAllModules()) {
            for (Path file : javaIn(folder)) {
                List<String> here = Prose.inJava(Pages.name(file), Files.readString(file));
                String module =
                        folder.getParent().getParent().getParent().getFileName().toString();
                String home = module + ":"
                        + folder.relativize(file.getParent()).toString().replace('/', '.');
                if (!NOT_YET.contains(home)) {
                    found.addAll(here);
                } else if (!here.isEmpty()) {
                    needed.add(home);
                }
            }
        }

        assertEquals(List.of(), found);
        assertEquals(new TreeSet<>(NOT_YET), needed, "these are mended: take them off the list");
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
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> java =
                    files.filter(file -> file.toString().endsWith(".java")).toList();
            assertTrue(!java.isEmpty(), () -> "no sources in " + folder);
            return java;
        }
    }
}
