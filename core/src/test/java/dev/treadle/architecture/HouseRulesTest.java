package dev.treadle.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClasses;
import dev.treadle.architecture.Sources.Source;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What main code may not do: that of core, whose time comes in through the constructor, and the sources of all modules. */
class HouseRulesTest {
    private final JavaClasses core = CoreClasses.main();

    @Test
    void nobody_asks_the_machine_for_the_time() {
        noClasses()
                .should()
                .accessTargetWhere(method(Instant.class, "now"))
                .orShould()
                .accessTargetWhere(method(System.class, "currentTimeMillis"))
                .because("a test has to be able to say what time it is: take an InstantSource")
                .check(core);
    }

    @Test
    void nobody_sleeps() {
        noClasses()
                .should()
                .accessTargetWhere(method(Thread.class, "sleep"))
                .because("a loop rests in server.Loop, where a nudge wakes it")
                .check(core);
    }

    @Test
    void nobody_reads_objects_from_bytes() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .areAssignableTo(ObjectInputStream.class)
                .because("what is in a row is data, not trust")
                .check(core);
    }

    @Test
    void classes_are_loaded_by_name_in_four_packages_only() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "dev.treadle.capture..", // names from the byte code of a lambda that the caller passed
                        "dev.treadle.invoke..",
                        "dev.treadle.payload..",
                        "dev.treadle.executor..")
                // its names are in our own jars
                .and()
                .doNotHaveFullyQualifiedName("dev.treadle.engine.ClassInitializer")
                .should()
                .accessTargetWhere(method(Class.class, "forName"))
                .orShould()
                .accessTargetWhere(method(ClassLoader.class, "loadClass"))
                .because("names in rows are data, and this is where they could become code")
                .check(core);
    }

    @Test
    void files_and_methods_are_short_and_nothing_is_locked_caught_or_put_off_the_wrong_way() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path folder : CoreClasses.sourcesOfAllModules()) {
            List<Source> sources = Sources.read(folder);
            assertFalse(sources.isEmpty(), () -> "no sources in " + folder);
            // benchmarks watch other processes, on threads of their own
            boolean lent = !folder.toString().contains("benchmarks");
            sources.forEach(one -> broken.addAll(HouseRules.brokenIn(one, lent)));
        }

        assertEquals(List.of(), broken);
    }

    @Test
    void each_rule_on_sources_finds_what_breaks_it(@TempDir Path folder) throws IOException {
        String longMethod = "int a;\n".repeat(HouseRules.METHOD_LINES_MAX);
        String[] breaking = {
            "class A { synchronized void a() {} }",
            "class A { void a() { synchronized (this) { } } }",
            "class A { void a() { try { a(); } catch (Throwable t) { } } }",
            "class A { } // " + "TODO later",
            "class A { } // " + "FIXME later",
            "class A { void a() {\n" + longMethod + "} }",
            "class A {\n" + "int a;\n".repeat(HouseRules.FILE_LINES_MAX) + "}"
        };
        for (String code : breaking) {
            assertEquals(1, brokenIn(folder, "A", code).size(), code);
        }
        assertEquals(List.of(), brokenIn(folder, "Loop", breaking[2].replace("class A", "class Loop")));
        assertEquals(List.of(), brokenIn(folder, "A", "/** Not synchronized, no catch (Throwable t). */ class A { }"));
    }

    private static List<String> brokenIn(Path folder, String type, String code) throws IOException {
        Path only = Files.createDirectories(folder.resolve("only"));
        Path file = Files.writeString(only.resolve(type + ".java"), code);
        List<String> broken = HouseRules.brokenIn(Sources.read(only).get(0), true);
        Files.delete(file);
        return broken;
    }

    /** Calls and method references alike. */
    private static DescribedPredicate<JavaAccess<?>> method(Class<?> owner, String name) {
        return DescribedPredicate.describe(
                owner.getSimpleName() + "." + name,
                access -> access.getTargetOwner().isAssignableTo(owner)
                        && access.getTarget().getName().equals(name));
    }
}
