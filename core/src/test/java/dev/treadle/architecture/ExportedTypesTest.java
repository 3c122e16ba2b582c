package dev.treadle.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The types that core exports to everyone, compared with {@code exported-types.txt}: a change of the surface is a change
 * of that file.
 */
class ExportedTypesTest {
    private static final Path LIST = CoreClasses.folder().resolve("../../src/test/resources/exported-types.txt");

    @Test
    void core_exports_the_listed_types_and_no_others() throws IOException {
        List<String> exported = exportedTypes();

        assertEquals(
                String.join("\n", Files.readAllLines(LIST)),
                String.join("\n", exported),
                "If you meant to change the exported types, write these into " + LIST.normalize());
    }

    @Test
    void no_two_exported_types_share_a_simple_name() throws IOException {
        List<String> twice = exportedTypes().stream()
                .collect(Collectors.groupingBy(name -> name.substring(name.lastIndexOf('.') + 1)))
                .values()
                .stream()
                .filter(same -> same.size() > 1)
                .map(List::toString)
                .toList();

        assertEquals(List.of(), twice);
    }

    private static List<String> exportedTypes() throws IOException {
        try (InputStream file = Files.newInputStream(CoreClasses.folder().resolve("module-info.class"))) {
            return ModuleDescriptor.read(file).exports().stream()
                    .filter(export -> !export.isQualified())
                    .map(ModuleDescriptor.Exports::source)
                    .flatMap(ExportedTypesTest::publicTypesOf)
                    .sorted()
                    .toList();
        }
    }

    private static Stream<String> publicTypesOf(String name) {
        Path folder = CoreClasses.folder().resolve(name.replace('.', '/'));
        try (Stream<Path> files = Files.list(folder)) {
            return files
                    .map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(".class") && !file.contains("$") && !file.contains("-"))
                    .map(file -> name + "." + file.substring(0, file.length() - ".class".length()))
                    .filter(ExportedTypesTest::isPublic)
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isPublic(String type) {
        try {
            return Modifier.isPublic(Class.forName(type, false, ExportedTypesTest.class.getClassLoader())
                    .getModifiers());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
