package dev.treadle.architecture.rules;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Every rule finds what breaks it, and nothing else. */
class PackageRulesTest {
    private static final List<Set<String>> ROWS = List.of(Set.of("low", "beside"), Set.of("high"), Set.of(""));
    private static final String HIDDEN = "package dev.treadle.other.hidden; public class Hidden {}";
    private static final String SHOWN = "package dev.treadle.other; public class Shown {}";
    private static final String OTHER = "module dev.treadle.other { exports dev.treadle.other; }";

    @TempDir
    Path folder;

    /** What a module's test is, for a module that is compiled here. */
    private static final class Rules extends PackageRules {
        Rules(Path folder, ClassLoader path) {
            super("dev.treadle.one", ROWS, folder, path);
        }
    }

    @Test
    void a_module_that_keeps_all_rules_passes() throws IOException {
        PackageRules rules = rules(
                "package dev.treadle.one.low; public class Low {}",
                "package dev.treadle.one.high; public class High { dev.treadle.one.low.Low low; dev.treadle.other.Shown shown; }",
                "package dev.treadle.one; public class Root { dev.treadle.one.high.High high; }");

        assertAll(
                rules::there_are_classes_to_check,
                rules::imports_point_down_never_sideways_or_up,
                rules::every_package_is_in_a_row,
                rules::no_packages_form_a_cycle,
                rules::no_more_than_a_few_files_form_a_cycle,
                rules::no_package_is_split_over_two_modules,
                rules::other_modules_are_used_through_what_they_export);
    }

    @Test
    void an_import_that_points_up_or_sideways_is_found() throws IOException {
        String up = "package dev.treadle.one.low; public class Low { dev.treadle.one.high.High high; }";
        String sideways = "package dev.treadle.one.low; public class Low { dev.treadle.one.beside.Beside beside; }";
        String intoTheRoot = "package dev.treadle.one.high; public class High { dev.treadle.one.Root root; }";
        String high = "package dev.treadle.one.high; public class High {}";
        String beside = "package dev.treadle.one.beside; public class Beside {}";
        String root = "package dev.treadle.one; public class Root {}";

        assertFinds("High", rules(up, high)::imports_point_down_never_sideways_or_up);
        assertFinds("Beside", rules(sideways, beside)::imports_point_down_never_sideways_or_up);
        assertFinds("Root", rules(intoTheRoot, root)::imports_point_down_never_sideways_or_up);
    }

    @Test
    void a_package_without_a_row_is_found() throws IOException {
        assertFinds(
                "dev.treadle.one.more.More",
                rules("package dev.treadle.one.more; public class More {}")::every_package_is_in_a_row);
    }

    @Test
    void a_cycle_of_packages_is_found_even_below_one_row() throws IOException {
        PackageRules rules = rules(
                "package dev.treadle.one.low; public class Low { dev.treadle.one.low.deep.Deep deep; }",
                "package dev.treadle.one.low.deep; public class Deep { dev.treadle.one.low.Low low; }");

        assertFinds("Cycle detected", rules::no_packages_form_a_cycle);
    }

    @Test
    void a_circle_of_more_files_than_a_few_is_found() throws IOException {
        rules(circle(PackageRules.FILES_IN_CYCLE_MAX)).no_more_than_a_few_files_form_a_cycle();

        assertFinds(
                "dev.treadle.one.low/C3.java, dev.treadle.one.low/C4.java",
                rules(circle(PackageRules.FILES_IN_CYCLE_MAX + 1))::no_more_than_a_few_files_form_a_cycle);
    }

    @Test
    void what_a_sealed_type_permits_is_part_of_its_circle() throws IOException {
        List<String> sources = new ArrayList<>();
        sources.add("package dev.treadle.one.low; public sealed abstract class Sealed permits P1, P2, P3, P4 {}");
        for (int i = 1; i <= PackageRules.FILES_IN_CYCLE_MAX; i++) {
            sources.add("package dev.treadle.one.low; public final class P" + i + " extends Sealed {}");
        }

        assertFinds("low/Sealed.java", rules(sources.toArray(String[]::new))::no_more_than_a_few_files_form_a_cycle);
    }

    /** The last class refers to the first one only in a class inside it; and one that is no part of the circle uses it. */
    private static String[] circle(int files) {
        List<String> sources = new ArrayList<>();
        for (int i = 1; i < files; i++) {
            sources.add("package dev.treadle.one.low; public class C" + i + " { C" + (i + 1) + " next; }");
        }
        sources.add("package dev.treadle.one.low; public class C" + files + " { static class Inner { C1[] first; } }");
        sources.add("package dev.treadle.one.low; public class User { C1 first; }");
        return sources.toArray(String[]::new);
    }

    @Test
    void a_package_that_two_modules_have_is_found() throws IOException {
        Path second = Files.createDirectories(folder.resolve("second"));
        compile(second, "package dev.treadle.one.low; public class Second {}");
        Path first = Files.createDirectories(folder.resolve("first"));
        compile(first, "package dev.treadle.one.low; public class First {}");
        try (URLClassLoader path = new URLClassLoader(new URL[] {url(first), url(second)}, null)) {
            assertFinds("dev.treadle.one.low", new Rules(first, path)::no_package_is_split_over_two_modules);
        }
    }

    @Test
    void the_use_of_a_package_that_is_not_exported_is_found() throws IOException {
        PackageRules rules =
                rules("package dev.treadle.one; public class Root { dev.treadle.other.hidden.Hidden hidden; }");

        assertFinds("Hidden", rules::other_modules_are_used_through_what_they_export);
    }

    @Test
    void a_module_without_a_descriptor_exports_all_it_has() throws IOException {
        Path undescribed = Files.createDirectories(folder.resolve("other"));
        compile(undescribed, SHOWN, HIDDEN);
        Path own = Files.createTempDirectory(folder, "own");
        compile(own, "package dev.treadle.one; public class Root { dev.treadle.other.hidden.Hidden hidden; }");
        try (URLClassLoader path = new URLClassLoader(new URL[] {url(own), url(undescribed)}, null)) {
            new Rules(own, path).other_modules_are_used_through_what_they_export();
        }
    }

    @Test
    void a_folder_without_classes_is_found() {
        assertFinds(
                "no class of dev.treadle.one",
                new Rules(folder, getClass().getClassLoader())::there_are_classes_to_check);
    }

    private static void assertFinds(String what, Executable rule) {
        String message = assertThrows(AssertionError.class, rule).getMessage();
        assertTrue(message.contains(what), message);
    }

    /** A module of these classes, beside one that exports {@code dev.treadle.other}. */
    private PackageRules rules(String... sources) throws IOException {
        Path other = Files.createDirectories(folder.resolve("other"));
        compile(other, OTHER, SHOWN, HIDDEN);
        Path own = Files.createTempDirectory(folder, "own");
        compile(own, sources);
        return new Rules(own, new URLClassLoader(new URL[] {url(own), url(other)}, null));
    }

    private void compile(Path target, String... sources) throws IOException {
        Path written = Files.createTempDirectory(folder, "sources");
        List<Path> files = new ArrayList<>();
        for (String source : sources) {
            String name = source.startsWith("module")
                    ? "module-info"
                    : source.replaceAll("(?s).*public (?:\\w+ )*class (\\w+).*", "$1");
            files.add(Files.writeString(written.resolve(name + ".java"), source));
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            List<String> options = List.of(
                    "-d", target.toString(), "-cp", folder.resolve("other").toString());
            boolean compiled = compiler.getTask(
                            null, manager, null, options, null, manager.getJavaFileObjectsFromPaths(files))
                    .call();
            assertEquals(true, compiled, "the sources of this test compile");
        }
    }

    private static URL url(Path folder) throws IOException {
        return folder.toUri().toURL();
    }
}
