package dev.treadle.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of ARCHITECTURE.md, as data: imports point down, never sideways or up. */
class ArchitectureTest {
    private static final String ROOT = "dev.treadle";

    /** From row 0 up. Above them all stands the root package, with {@code Treadle} alone. */
    private static final List<Set<String>> ROWS = List.of(
            Set.of("job", "schedule"),
            Set.of("payload", "storage", "executor", "admission"),
            Set.of("outcome", "watch"),
            Set.of("capture", "claim", "invoke", "maintenance"),
            Set.of("dispatch"),
            Set.of("api", "server"));

    /** Stricter than its row: implementers of an executor need nothing else of ours. */
    private static final Set<String> ALONE = Set.of("executor");

    private static final Set<String> EXPORTED = Set.of(
            ROOT,
            ROOT + ".api",
            ROOT + ".executor",
            ROOT + ".job",
            ROOT + ".schedule",
            ROOT + ".server",
            ROOT + ".storage");

    private final JavaClasses core = CoreClasses.main();

    @Test
    void imports_point_down_never_sideways_or_up() {
        for (int row = 0; row < ROWS.size(); row++) {
            for (String name : ROWS.get(row)) {
                int allowedBelow = ALONE.contains(name) ? 0 : row;
                String[] forbidden = Stream.concat(
                                Stream.of(ROOT),
                                IntStream.range(allowedBelow, ROWS.size())
                                        .mapToObj(ROWS::get)
                                        .flatMap(Set::stream)
                                        .filter(other -> !other.equals(name))
                                        .map(ArchitectureTest::within))
                        .toArray(String[]::new);
                noClasses()
                        .that()
                        .resideInAPackage(within(name))
                        .should()
                        .dependOnClassesThat(resideInAnyPackage(forbidden))
                        .because("row " + row + " of the table in ARCHITECTURE.md looks down only")
                        .allowEmptyShould(true)
                        .check(core);
            }
        }
    }

    @Test
    void every_package_stands_in_the_table() {
        classes()
                .should()
                .resideInAnyPackage(Stream.concat(
                                Stream.of(ROOT),
                                ROWS.stream().flatMap(Set::stream).map(ArchitectureTest::within))
                        .toArray(String[]::new))
                .because("a new package needs a row, here and in ARCHITECTURE.md")
                .check(core);
    }

    @Test
    void no_packages_go_in_a_circle() {
        slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(core);
    }

    @Test
    void the_root_package_holds_treadle_alone() {
        classes()
                .that()
                .resideInAPackage(ROOT)
                .and()
                .areTopLevelClasses()
                .should()
                .haveSimpleName("Treadle")
                .orShould()
                .haveSimpleName("package-info")
                .allowEmptyShould(true)
                .check(core);
    }

    @Test
    void the_module_exports_what_is_meant_for_users_and_nothing_else() throws IOException {
        try (InputStream file = Files.newInputStream(CoreClasses.folder().resolve("module-info.class"))) {
            List<String> unexpected = ModuleDescriptor.read(file).exports().stream()
                    .filter(export -> !export.isQualified())
                    .map(ModuleDescriptor.Exports::source)
                    .filter(name -> !EXPORTED.contains(name))
                    .toList();

            assertEquals(List.of(), unexpected);
        }
    }

    private static String within(String name) {
        return ROOT + "." + name + "..";
    }
}
