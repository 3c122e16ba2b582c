package dev.treadle.storage.sql;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The lists of classes that a server initializes before an exhausted heap can break them for good. */
class ListedClassesTest {
    @Test
    void every_class_of_this_module_with_a_static_initializer_is_listed() throws Exception {
        Path classes = Path.of(SqlStorageProvider.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Set<String> initializers;
        try (Stream<Path> files = Files.walk(classes)) {
            initializers = files.filter(file -> file.toString().endsWith(".class") && hasInitializer(file))
                    .map(file -> classes.relativize(file).toString())
                    .map(name -> name.replace('/', '.').replaceAll("\\.class$", ""))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
        assertTrue(initializers.size() > 20, initializers::toString);

        initializers.removeAll(listed("META-INF/treadle/initializers"));
        assertEquals(Set.of(), initializers);
    }

    @Test
    void the_libraries_have_the_listed_classes() throws Exception {
        List<String> listed = listed("META-INF/treadle/library-initializers");
        assertTrue(listed.contains("org.postgresql.util.PSQLException"), listed::toString);

        ClassLoader loader = getClass().getClassLoader();
        for (String name : listed) {
            assertDoesNotThrow(() -> Class.forName(name, false, loader));
        }
    }

    private static boolean hasInitializer(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains("<clinit>");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> listed(String list) throws IOException {
        List<String> names = new ArrayList<>();
        for (URL file :
                Collections.list(ListedClassesTest.class.getClassLoader().getResources(list))) {
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(file.openStream(), StandardCharsets.UTF_8))) {
                lines.lines()
                        .filter(line -> !line.isBlank() && !line.startsWith("#"))
                        .forEach(names::add);
            }
        }
        return names;
    }
}
