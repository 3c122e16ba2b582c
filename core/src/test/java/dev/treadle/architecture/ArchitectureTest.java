package dev.treadle.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.treadle.architecture.rules.PackageRules;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The table of ARCHITECTURE.md, as data: imports point down, never sideways or up. */
class ArchitectureTest extends PackageRules {
    private static final String ROOT = "dev.treadle";

    /** From row 0 up; on top the root package, with {@code Treadle} alone. */
    private static final List<Set<String>> ROWS = List.of(
            Set.of("transaction"),
            Set.of("job", "schedule"),
            Set.of("lifecycle", "payload", "executor", "admission"),
            Set.of("storage"),
            Set.of("outcome", "watch", "api", "server", "discovery", "commit", "health"),
            Set.of("capture", "claim", "invoke", "maintenance"),
            Set.of("dispatch"),
            Set.of("enqueue", "engine"),
            Set.of(""));

    private static final String EXECUTOR = ROOT + ".executor";

    private static final Set<String> EXPORTED = Set.of(
            ROOT,
            ROOT + ".api",
            ROOT + ".executor",
            ROOT + ".health",
            ROOT + ".job",
            ROOT + ".lifecycle",
            ROOT + ".schedule",
            ROOT + ".server",
            ROOT + ".storage",
            ROOT + ".storage.admin",
            ROOT + ".storage.memory",
            ROOT + ".transaction");

    ArchitectureTest() {
        super(ROOT, ROWS);
    }

    @Test
    void an_executor_needs_nothing_else_of_ours() {
        noClasses()
                .that()
                .resideInAPackage(EXECUTOR)
                .should()
                .dependOnClassesThat(resideInAnyPackage(ROOT, ROOT + "..").and(not(resideInAnyPackage(EXECUTOR))))
                .because("the author of an executor should not have to know anything else")
                .check(moduleClasses());
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
                .check(moduleClasses());
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
}
