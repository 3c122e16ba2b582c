package dev.treadle.executor.virtual;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import dev.treadle.architecture.rules.PackageRules;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The packages of this module, from row 0 up. */
class ArchitectureTest extends PackageRules {
    ArchitectureTest() {
        super("dev.treadle.executor.virtual", List.of(Set.of("")));
    }

    @Test
    void an_executor_needs_no_package_of_core_but_that_of_executors() {
        noClasses()
                .should()
                .dependOnClassesThat(
                        resideInAPackage("dev.treadle..").and(resideOutsideOfPackages("dev.treadle.executor..")))
                .check(moduleClasses());
    }
}
