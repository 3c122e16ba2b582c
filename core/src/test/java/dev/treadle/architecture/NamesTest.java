package dev.treadle.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One word, one meaning: in the glossary, and among the types that users see. */
class NamesTest {
    /** Fewer words would mean that the glossary is no longer read as it is written. */
    private static final int WORDS_MIN = 40;
    /** Fewer types would mean that exported types are no longer found. */
    private static final int EXPORTED_MIN = 60;

    @Test
    void each_word_of_the_glossary_is_defined_once() throws IOException {
        Path page = CoreClasses.folder().resolve("../../../ARCHITECTURE.md").normalize();
        List<String> words = Names.glossary(Files.readString(page));

        assertTrue(words.size() >= WORDS_MIN, () -> "only " + words + " are read from the glossary");
        assertEquals(Set.of(), Names.twice(words), "words that the glossary of ARCHITECTURE.md defines twice");
    }

    @Test
    void no_two_exported_types_share_a_simple_name() throws IOException {
        Map<String, Set<String>> bySimpleName = new TreeMap<>();
        for (Path folder : CoreClasses.sourcesOfAllModules()) {
            Path moduleInfo = folder.resolve("module-info.java");
            if (Files.exists(moduleInfo)) {
                Set<String> exported = Names.exportedPackages(Files.readString(moduleInfo));
                Names.collect(Sources.read(folder), exported, bySimpleName);
            }
        }

        assertTrue(bySimpleName.size() >= EXPORTED_MIN, () -> "only " + bySimpleName.keySet() + " are exported");
        assertEquals(Map.of(), Names.shared(bySimpleName), "exported types that an import could mix up");
    }

    @Test
    void a_word_that_is_defined_twice_is_found() {
        String page = "# A page\n\n| **line** | not in the glossary |\n\n## Glossary\n\n| word | meaning |\n|---|---|\n"
                + "| **job** | work |\n| **line** | a queue |\n| **Line** | where jobs wait |\n\n## Next\n\n| **job** | x |\n";

        assertEquals(List.of("job", "line", "Line"), Names.glossary(page));
        assertEquals(Set.of("line"), Names.twice(Names.glossary(page)));
    }

    @Test
    void two_exported_types_of_one_name_are_found_and_hidden_ones_are_not(@TempDir Path folder) throws IOException {
        write(folder, "a", "JobFilter", "public interface JobFilter {}");
        write(folder, "b", "JobFilter", "public record JobFilter(int a) {}");
        write(folder, "b", "Hidden", "final class Hidden {}");
        write(folder, "a", "Hidden", "public final class Hidden {}");
        write(folder, "c", "Hidden", "public final class Hidden {}");
        Map<String, Set<String>> found = new TreeMap<>();

        Names.collect(
                Sources.read(folder), Names.exportedPackages("  exports a;\n exports b;\nexports c to d;\n"), found);

        assertEquals(Map.of("JobFilter", Set.of("a.JobFilter", "b.JobFilter")), Names.shared(found));
        assertEquals(Set.of("a.Hidden"), found.get("Hidden"));
    }

    private static void write(Path folder, String owner, String type, String code) throws IOException {
        Path file = Files.createDirectories(folder.resolve(owner)).resolve(type + ".java");
        Files.writeString(file, "package " + owner + ";\n" + code + "\n");
    }
}
