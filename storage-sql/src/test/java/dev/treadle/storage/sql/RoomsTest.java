package dev.treadle.storage.sql;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import dev.treadle.architecture.rules.PackageRules;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The packages of this module as data: imports point down, and files do not go in circles. */
class RoomsTest extends PackageRules {
    private static final String ROOT = "dev.treadle.storage.sql";

    /** From row 0 up; on top the root package, which is exported. */
    private static final List<Set<String>> ROWS = List.of(
            Set.of("text"),
            Set.of("session"),
            Set.of("connections", "migrations", "rows"),
            Set.of("portable"),
            Set.of("h2", "postgresql", "keys"),
            Set.of("jobs"),
            Set.of("admin"),
            Set.of(""));

    RoomsTest() {
        super(ROOT, ROWS);
    }

    @Test
    void no_files_go_in_a_circle() {
        slices().assignedFrom(new Files()).should().beFreeOfCycles().check(moduleClasses());
    }

    /** One slice for each source file. */
    private static final class Files implements SliceAssignment {
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
