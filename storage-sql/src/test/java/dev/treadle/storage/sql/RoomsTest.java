package dev.treadle.storage.sql;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The packages of this module as data: imports point down, and files do not go in circles. */
class RoomsTest {
    private static final String ROOT = "dev.treadle.storage.sql";

    /** From row 0 up. Above them all stands the root package, which is exported. */
    private static final List<Set<String>> ROWS = List.of(
            Set.of("text"),
            Set.of("session"),
            Set.of("connections", "migrations", "rows"),
            Set.of("portable"),
            Set.of("h2", "postgresql", "keys"),
            Set.of("jobs"),
            Set.of("admin"));

    private final JavaClasses module = new ClassFileImporter().importPath(folder());

    @Test
    void imports_point_down_never_sideways_or_up() {
        for (int row = 0; row < ROWS.size(); row++) {
            for (String room : ROWS.get(row)) {
                String[] forbidden = Stream.concat(
                                Stream.of(ROOT),
                                IntStream.range(row, ROWS.size())
                                        .mapToObj(ROWS::get)
                                        .flatMap(Set::stream)
                                        .filter(other -> !other.equals(room))
                                        .map(RoomsTest::within))
                        .toArray(String[]::new);
                noClasses()
                        .that()
                        .resideInAPackage(within(room))
                        .should()
                        .dependOnClassesThat(resideInAnyPackage(forbidden))
                        .because("row " + row + " of the rooms of storage-sql looks down only")
                        .check(module);
            }
        }
    }

    @Test
    void every_package_stands_in_a_row() {
        classes()
                .should()
                .resideInAnyPackage(Stream.concat(
                                Stream.of(ROOT),
                                ROWS.stream().flatMap(Set::stream).map(RoomsTest::within))
                        .toArray(String[]::new))
                .because("a new package needs a row, here and in docs/adr/0030-rooms-of-sql.md")
                .check(module);
    }

    @Test
    void no_files_go_in_a_circle() {
        slices().assignedFrom(new Files()).should().beFreeOfCycles().check(module);
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

    private static String within(String room) {
        return ROOT + "." + room + "..";
    }

    private static Path folder() {
        try {
            return Path.of(SqlStorageProvider.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
