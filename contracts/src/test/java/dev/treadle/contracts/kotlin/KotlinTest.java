package dev.treadle.contracts.kotlin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Treadle;
import dev.treadle.api.JobScheduler;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.NotCapturableException;
import dev.treadle.job.ResultHandler;
import dev.treadle.job.StateName;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import kotlin.jvm.functions.Function1;
import org.awaitility.Awaitility;
import org.jetbrains.kotlin.cli.common.ExitCode;
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What kotlinc makes of the ways to enqueue, compiled here as an application is. */
class KotlinTest {
    @TempDir
    Path classes;

    @Test
    @SuppressWarnings("unchecked")
    void every_way_to_enqueue_runs_with_what_it_was_given() throws Exception {
        try (URLClassLoader kotlin = compiled("-java-parameters")) {
            Class<?> main = kotlin.loadClass("com.acme.ShapesKt");
            try (Treadle treadle = started(kotlin, main)) {
                List<Object> shapes = (List<Object>) main.getMethod("shapes").invoke(null);
                assertEquals(23, shapes.size());
                List<String> expected = new ArrayList<>();
                for (Object shape : shapes) {
                    JobId id = ((Function1<JobScheduler, JobId>) told(shape, "getEnqueue")).invoke(treadle.jobs());
                    expected.add((String) told(shape, "getExpected"));
                    Awaitility.await(String.valueOf(told(shape, "getName")))
                            .atMost(Duration.ofSeconds(60))
                            .until(() -> treadle.jobs()
                                            .find(id)
                                            .orElseThrow()
                                            .job()
                                            .state()
                                            .name()
                                    == StateName.SUCCEEDED);
                    assertEquals(expected, List.copyOf(seen(kotlin)));
                }
            }
        }
    }

    @Test
    void a_handler_may_be_a_lambda_of_one_expression_a_block_or_a_reference() throws Exception {
        try (URLClassLoader kotlin = compiled("-java-parameters")) {
            Class<?> main = kotlin.loadClass("com.acme.ShapesKt");
            Treadle.Builder builder = (Treadle.Builder) main.getMethod("greeting", Treadle.Builder.class)
                    .invoke(null, Treadle.on(new InMemoryStorageProvider()));
            try (Treadle treadle = builder.start()) {
                for (String request : List.of("Hello", "Twice", "Told")) {
                    JobId id = treadle.jobs().enqueue(request(kotlin, request, "Ada"));
                    assertEquals(Optional.empty(), treadle.jobs().await(id, Object.class, Duration.ofSeconds(60)));
                }
                JobId sum = treadle.jobs().enqueue((JobRequest<?>) kotlin.loadClass("com.acme.Sum")
                        .getConstructor(int.class, int.class)
                        .newInstance(2, 3));
                assertEquals(Optional.of(5), treadle.jobs().await(sum, Integer.class, Duration.ofSeconds(60)));
            }
            assertEquals(
                    List.of("hello Ada", "twice Ada", "and Ada", "told Ada in attempt 1"), List.copyOf(seen(kotlin)));
        }
    }

    private static JobRequest<?> request(ClassLoader kotlin, String type, String name)
            throws ReflectiveOperationException {
        return (JobRequest<?>) kotlin.loadClass("com.acme." + type)
                .getConstructor(String.class)
                .newInstance(name);
    }

    @Test
    void what_would_be_changed_is_refused_in_kotlin_too() throws Exception {
        try (URLClassLoader kotlin = compiled("-java-parameters");
                Treadle treadle = Treadle.on(new InMemoryStorageProvider()).enqueueOnly()) {
            JobRequest<?> open = (JobRequest<?>)
                    kotlin.loadClass("com.acme.Open").getConstructor(Map.class).newInstance(Map.of("id", 5L));

            String message = refusal(() -> treadle.jobs().enqueue(open));

            assertTrue(message.contains("more[\"id\"] is a java.lang.Long (5)"), message);
        }
    }

    @Test
    void what_the_compiler_must_be_told_is_said() throws Exception {
        try (URLClassLoader kotlin = compiled("-Xlambdas=class", "-Xsam-conversions=class");
                Treadle treadle = Treadle.on(new InMemoryStorageProvider()).enqueueOnly()) {
            Class<?> main = kotlin.loadClass("com.acme.ShapesKt");
            List<?> shapes = (List<?>) main.getMethod("shapes").invoke(null);

            String unnamed = refusal(() -> enqueue(shapes.get(0), treadle));
            assertTrue(unnamed.contains("-java-parameters"), unnamed);
            String lambda = refusal(() -> enqueue(shapes.get(2), treadle));
            assertTrue(lambda.contains("-Xsam-conversions=class"), lambda);
        }
    }

    @SuppressWarnings("unchecked")
    private static void enqueue(Object shape, Treadle treadle) throws ReflectiveOperationException {
        ((Function1<JobScheduler, JobId>) told(shape, "getEnqueue")).invoke(treadle.jobs());
    }

    private static String refusal(org.junit.jupiter.api.function.Executable enqueue) {
        return String.valueOf(
                assertThrows(NotCapturableException.class, enqueue).getMessage());
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Treadle started(ClassLoader kotlin, Class<?> main) throws ReflectiveOperationException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(kotlin);
        try {
            Class ship = kotlin.loadClass("com.acme.Ship");
            Class plain = kotlin.loadClass("com.acme.Plain");
            return Treadle.on(new InMemoryStorageProvider())
                    .resultHandler(
                            ship, (ResultHandler) main.getMethod("shipping").invoke(null))
                    .resultHandler(
                            plain, (ResultHandler) main.getMethod("counting").invoke(null))
                    .start();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @SuppressWarnings("unchecked")
    private static Collection<String> seen(ClassLoader kotlin) throws ReflectiveOperationException {
        Class<?> seen = kotlin.loadClass("com.acme.Seen");
        return (Collection<String>)
                seen.getMethod("getAll").invoke(seen.getField("INSTANCE").get(null));
    }

    private static Object told(Object of, String getter) throws ReflectiveOperationException {
        try {
            return of.getClass().getMethod(getter).invoke(of);
        } catch (InvocationTargetException e) {
            throw new AssertionError(e.getCause());
        }
    }

    private URLClassLoader compiled(String... flags) throws Exception {
        Path source = Path.of(KotlinTest.class.getResource("/kotlin/Shapes.kt").toURI());
        List<String> arguments = new ArrayList<>(List.of(flags));
        arguments.addAll(List.of("-no-stdlib", "-no-reflect", "-jvm-target", "17", "-d", classes.toString()));
        arguments.addAll(List.of("-cp", classPath(), source.toString()));
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        ExitCode code = new K2JVMCompiler()
                .exec(new PrintStream(said, true, StandardCharsets.UTF_8), arguments.toArray(String[]::new));
        assertEquals(ExitCode.OK, code, () -> said.toString(StandardCharsets.UTF_8));
        return new URLClassLoader(new URL[] {classes.toUri().toURL()}, KotlinTest.class.getClassLoader());
    }

    private static String classPath() {
        Stream<Class<?>> needed = Stream.of(Treadle.class, Function1.class, org.jspecify.annotations.Nullable.class);
        return String.join(File.pathSeparator, needed.map(KotlinTest::home).toList());
    }

    private static String home(Class<?> type) {
        return Path.of(java.net.URI.create(
                        type.getProtectionDomain().getCodeSource().getLocation().toString()))
                .toString();
    }
}
