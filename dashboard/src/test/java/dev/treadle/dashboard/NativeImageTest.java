package dev.treadle.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a native image of GraalVM must be told is compared with what is there, and with what a run looks up by name. */
@Timeout(120)
class NativeImageTest {
    private static final List<String> MODULES = List.of("core", "storage-sql", "dashboard");

    /** Where code asks for what only a name tells. */
    private static final Pattern BY_NAME = Pattern.compile(
            "java\\.lang\\.Class\\.(forName|getResource.*|getDeclared(Method|Field|Constructor)s?|getMethods?|getFields?"
                    + "|getConstructors?|getRecordComponents)|java\\.lang\\.ClassLoader\\.(getResource.*|loadClass)"
                    + "|java\\.lang\\.reflect\\.Proxy\\.newProxyInstance|java\\.util\\.ServiceLoader\\.load");

    /** Looked up where they are, and done without where they are not. */
    private static final Set<String> OPTIONAL = Set.of("META-INF/services/");

    /** Found by its name when the job runs. */
    public static final class Tidy {
        /** What the job returns. */
        public int tidy() {
            return 7;
        }
    }

    private static Path classesOf(String module) {
        return Path.of("..", module, "target", "classes").toAbsolutePath().normalize();
    }

    private static JsonNode metadata(String module) throws IOException {
        return new JsonMapper()
                .readTree(Files.readString(
                        Path.of("../" + module + "/src/main/resources/META-INF/native-image/dev.treadle/treadle-"
                                + module + "/reachability-metadata.json")));
    }

    private static Set<String> globs(String module) throws IOException {
        Set<String> globs = new TreeSet<>();
        metadata(module)
                .get("resources")
                .forEach(one -> globs.add(one.get("glob").stringValue()));
        return globs;
    }

    private static boolean matches(Collection<String> globs, String resource) {
        return globs.stream()
                .anyMatch(glob -> glob.endsWith("/**")
                        ? resource.startsWith(glob.substring(0, glob.length() - "**".length()))
                        : resource.equals(glob));
    }

    private static Set<String> types(String module) throws IOException {
        Set<String> types = new TreeSet<>();
        metadata(module).get("reflection").forEach(one -> {
            if (one.get("type").isString()) {
                types.add(one.get("type").stringValue());
            }
        });
        return types;
    }

    private static Set<String> files(String module) {
        Path folder = classesOf(module);
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString().replace('\\', '/'))
                    .filter(name -> !name.endsWith(".class"))
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void each_resource_of_a_module_is_listed_and_nothing_is_listed_that_is_not_there() throws IOException {
        for (String module : MODULES) {
            Set<String> globs = globs(module);
            Set<String> files = files(module);
            List<String> missing = files.stream()
                    .filter(name ->
                            !name.startsWith("META-INF/native-image/") && !name.startsWith("META-INF/services/"))
                    .filter(name -> !name.endsWith("LICENSE") && !matches(globs, name))
                    .toList();
            assertEquals(List.of(), missing, "resources of " + module + " that a native image would lack");
            List<String> idle = globs.stream()
                    .filter(glob -> files.stream().noneMatch(name -> matches(Set.of(glob), name)))
                    .toList();
            assertEquals(List.of(), idle, "globs of " + module + " that match nothing");
        }
    }

    @Test
    void a_run_looks_up_nothing_by_name_that_is_not_listed() throws Exception {
        Set<String> globs = new TreeSet<>();
        Set<String> types = new TreeSet<>();
        List<URL> path = new ArrayList<>();
        for (String module : MODULES) {
            globs.addAll(globs(module));
            types.addAll(types(module));
            path.add(classesOf(module).toUri().toURL());
        }
        path.add(Path.of("target/test-classes").toAbsolutePath().toUri().toURL());
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (RecordingLoader loader = new RecordingLoader(path.toArray(URL[]::new), before)) {
            Thread.currentThread().setContextClassLoader(loader);
            ((Runnable) loader.loadClass(NativeImageRun.class.getName())
                            .getConstructor()
                            .newInstance())
                    .run();

            assertTrue(loader.resources.stream().anyMatch(name -> name.endsWith(".sql")), loader.resources.toString());
            assertTrue(loader.resources.contains("dev/treadle/dashboard/page/app.js"), loader.resources.toString());
            assertEquals(
                    List.of(),
                    loader.resources.stream()
                            .filter(name -> OPTIONAL.stream().noneMatch(name::startsWith))
                            .filter(name -> name.startsWith("dev/treadle/") || name.startsWith("META-INF/treadle/"))
                            .filter(name -> !matches(globs, name))
                            .toList());
            assertTrue(loader.classes.contains("org.h2.Driver"), loader.classes.toString());
            assertEquals(
                    List.of(),
                    loader.classes.stream()
                            .filter(name -> name.startsWith("dev.treadle."))
                            .filter(name -> !types.contains(name))
                            .filter(name -> !name.equals(Tidy.class.getName()))
                            .toList());
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    @Test
    void what_the_dashboard_reads_and_writes_as_json_is_listed() throws Exception {
        Set<String> needed = new TreeSet<>();
        for (JavaClass one : new ClassFileImporter().importPath(classesOf("dashboard"))) {
            boolean isOfApi = one.getPackageName().matches("dev\\.treadle\\.dashboard\\.(api|live|web)");
            if (isOfApi && one.isRecord()) {
                add(Class.forName(one.getName(), false, getClass().getClassLoader()), needed);
            }
        }

        assertTrue(needed.size() > 40, needed.toString());
        needed.add(StackTraceElement.class.getName());
        assertEquals(
                String.join("\n", needed),
                String.join("\n", types("dashboard")),
                "Write these types into the dashboard's reachability-metadata.json.");
    }

    /** A record, and what its components are made of. */
    private static void add(Type type, Set<String> needed) {
        if (type instanceof ParameterizedType generic) {
            for (Type argument : generic.getActualTypeArguments()) {
                add(argument, needed);
            }
        } else if (type instanceof Class<?> one
                && one.getName().startsWith("dev.treadle.")
                && (one.isRecord() || one.isEnum())
                && needed.add(one.getName())
                && one.isRecord()) {
            for (RecordComponent component : one.getRecordComponents()) {
                add(component.getGenericType(), needed);
            }
        }
    }

    @Test
    void the_page_names_each_class_that_looks_up_by_name() throws IOException {
        Set<String> asking = new TreeSet<>();
        for (String module : MODULES) {
            for (JavaClass one : new ClassFileImporter().importPath(classesOf(module))) {
                for (JavaAccess<?> access : one.getAccessesFromSelf()) {
                    String called = access.getTargetOwner().getName() + "."
                            + access.getTarget().getName();
                    if (BY_NAME.matcher(called).matches()) {
                        asking.add(one.getName().replaceFirst("\\$.*", "").replaceFirst("^dev\\.treadle\\.", ""));
                    }
                }
            }
        }
        Set<String> named = new TreeSet<>();
        for (String line : Files.readAllLines(Path.of("../docs/native-image.md"))) {
            if (line.startsWith("| `")) {
                for (String name : line.substring(0, line.indexOf('|', 1)).split("`")) {
                    if (name.matches("[a-z.]+\\.[A-Z]\\w+")) {
                        named.add(name);
                    }
                }
            }
        }

        assertEquals(String.join("\n", asking), String.join("\n", named));
    }
}
