package dev.treadle.architecture.rules;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * What holds for the packages of every module: imports point down a table of rows, no packages form a cycle, no more than
 * {@value #FILES_IN_CYCLE_MAX} files of one package do, no package is split over two modules, and other modules are used
 * through their exported packages only. The compiler checks none of this, because the project compiles and tests on the
 * class path.
 *
 * <pre>{@code
 * class ArchitectureTest extends PackageRules {
 *     ArchitectureTest() {
 *         super("dev.treadle.dashboard", List.of(Set.of("web"), Set.of("guard", "live"), Set.of("api"), Set.of("")));
 *     }
 * }
 * }</pre>
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class PackageRules {
    /** Most files of a package that may refer to each other in a circle: one can be understood only with all the others. */
    static final int FILES_IN_CYCLE_MAX = 4;

    private static final String PROJECT = "dev.treadle";

    private final String root;
    private final List<Set<String>> rows;
    private final Path folder;
    private final ClassLoader path;
    private final OtherModules others;
    private final JavaClasses classes;

    /**
     * Reads the module's compiled classes from {@code target/classes} in the working directory.
     *
     * @param root the package that all packages of the module are in
     * @param rows the packages below the root, from row 0 up; {@code ""} is the root package itself
     */
    protected PackageRules(String root, List<Set<String>> rows) {
        this(root, rows, Path.of("target", "classes"), PackageRules.class.getClassLoader());
    }

    /** For tests of the rules. */
    PackageRules(String root, List<Set<String>> rows, Path folder, ClassLoader path) {
        this.root = root;
        this.rows = rows;
        this.folder = folder;
        this.path = path;
        this.others = new OtherModules(path);
        this.classes = new ClassFileImporter().importPath(folder);
    }

    /** Whether the module may use packages that other modules do not export. */
    protected boolean mayUseHiddenPackages() {
        return false;
    }

    /** The module's compiled classes. */
    protected final JavaClasses moduleClasses() {
        return classes;
    }

    @Test
    void there_are_classes_to_check() {
        assertFalse(classes.stream().noneMatch(this::isOwn), () -> "no class of " + root + " in " + folder);
    }

    @Test
    void imports_point_down_never_sideways_or_up() {
        for (int row = 0; row < rows.size(); row++) {
            for (String name : rows.get(row)) {
                String[] forbidden = IntStream.range(row, rows.size())
                        .mapToObj(rows::get)
                        .flatMap(Set::stream)
                        .filter(other -> !other.equals(name))
                        .map(this::within)
                        .toArray(String[]::new);
                if (forbidden.length > 0) {
                    noClasses()
                            .that()
                            .resideInAPackage(within(name))
                            .should()
                            .dependOnClassesThat(resideInAnyPackage(forbidden))
                            .because("row " + row + " looks down only")
                            .allowEmptyShould(true)
                            .check(classes);
                }
            }
        }
    }

    @Test
    void every_package_is_in_a_row() {
        classes()
                .should()
                .resideInAnyPackage(
                        rows.stream().flatMap(Set::stream).map(this::within).toArray(String[]::new))
                .because("a new package needs a row in this test, and in the tables of ARCHITECTURE.md")
                .check(classes);
    }

    @Test
    void no_packages_form_a_cycle() {
        slices().matching("(**)").should().beFreeOfCycles().check(classes.that(describe("own", this::isOwn)));
    }

    @Test
    void no_more_than_a_few_files_form_a_cycle() {
        List<Set<String>> large = FileCycles.of(classes.that(describe("own", this::isOwn)), path).stream()
                .filter(cycle -> cycle.size() > FILES_IN_CYCLE_MAX)
                .toList();
        assertEquals(List.of(), large, "files that refer to each other in a circle; move out what others need of one");
    }

    @Test
    void no_package_is_split_over_two_modules() {
        Set<String> split = new TreeSet<>();
        for (String name : ownPackages()) {
            if (others.placesOf(name) > 1) {
                split.add(name);
            }
        }
        assertEquals(Set.of(), split, "packages that another module has too");
    }

    @Test
    void other_modules_are_used_through_what_they_export() {
        if (mayUseHiddenPackages()) {
            return;
        }
        Set<String> exported = others.exportedTo(OtherModules.nameOfModuleIn(folder));
        Set<String> own = ownPackages();
        noClasses()
                .should()
                .dependOnClassesThat(describe(
                        "belong to another module, which does not export them",
                        other -> isOfTheProject(other)
                                && !own.contains(other.getPackageName())
                                && !exported.contains(other.getPackageName())
                                && !others.isOfUndescribed(other.getPackageName())))
                .check(classes);
    }

    private Set<String> ownPackages() {
        return classes.stream()
                .filter(this::isOwn)
                .map(JavaClass::getPackageName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Not {@code module-info}, which is in no package. */
    private boolean isOwn(JavaClass one) {
        return one.getPackageName().equals(root) || one.getPackageName().startsWith(root + ".");
    }

    private static boolean isOfTheProject(JavaClass one) {
        return one.getPackageName().equals(PROJECT) || one.getPackageName().startsWith(PROJECT + ".");
    }

    private String within(String name) {
        return name.isEmpty() ? root : root + "." + name + "..";
    }
}
