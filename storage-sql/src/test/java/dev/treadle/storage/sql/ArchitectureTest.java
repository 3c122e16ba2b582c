package dev.treadle.storage.sql;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import dev.treadle.architecture.rules.PackageRules;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The packages of this module, from row 0 up (docs/adr/0030-rooms-of-sql.md); no source files form a cycle. */
class ArchitectureTest extends PackageRules {
    ArchitectureTest() {
        super(
                "dev.treadle.storage.sql",
                List.of(
                        Set.of("text"),
                        Set.of("session"),
                        Set.of("connections", "migrations", "rows"),
                        Set.of("portable"),
                        Set.of("h2", "mariadb", "postgresql", "keys"),
                        Set.of("jobs"),
                        Set.of("admin"),
                        Set.of("")));
    }

    @Test
    void no_source_files_form_a_cycle() {
        slices().assignedFrom(new SourceFiles()).should().beFreeOfCycles().check(moduleClasses());
    }

    /** One slice for each source file. */
    private static final class SourceFiles implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            JavaClass outer = type;
            while (outer.getEnclosingClass().isPresent()) {
                outer = outer.getEnclosingClass().get();
            }
            return SliceIdentifier.of(outer.getFullName());
        }

        @Override
        public String getDescription() {
            return "source files";
        }
    }
}
