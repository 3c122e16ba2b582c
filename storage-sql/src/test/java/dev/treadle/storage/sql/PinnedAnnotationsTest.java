package dev.treadle.storage.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Treadle;
import dev.treadle.api.JobOptions;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobTraits;
import dev.treadle.job.KeyRule;
import dev.treadle.job.NotCapturableException;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.admin.AdminStorage;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An application whose BOM pins older Jackson annotations than the binding needs, in a JVM of its own. */
class PinnedAnnotationsTest {
    private static final Duration DEAD_AFTER = Duration.ofSeconds(1);

    @TempDir
    Path folder;

    record Greet(String name) implements JobRequest<String> {}

    record Dated(LocalDate day) implements JobRequest<String> {}

    /** What lambdas call. */
    public static class Slips {
        public long generate(long id) {
            return id;
        }

        public void on(LocalDate day) {}
    }

    /** With the first the binding reads no bean, and with the second it writes none. */
    @ParameterizedTest
    @ValueSource(strings = {"2.19.2", "2.21"})
    void jobs_with_plain_arguments_run_and_what_needs_the_binding_is_told_at_the_start(String pinned) throws Exception {
        String said = run(Main.class, pinned);

        assertEquals(
                List.of("hello Ada", "42", "heartbeats go on", "hello again", "no call", "no start", "end"),
                said.lines()
                        .filter(line -> line.startsWith("> "))
                        .map(line -> line.substring(2))
                        .toList(),
                said);
        List<String> cures = said.lines()
                .filter(line -> line.contains("jackson-annotations 2.22"))
                .toList();
        assertEquals(2, cures.size(), said);
        assertFalse(said.contains("failed (1 times"), said);
    }

    private String run(Class<?> main, String version) throws Exception {
        Path pinned = Path.of("target", "pinned", "jackson-annotations-" + version + ".jar")
                .toAbsolutePath();
        assertTrue(Files.exists(pinned), () -> pinned + " is missing: the build copies it there");
        String path = String.join(
                File.pathSeparator,
                Stream.concat(
                                Stream.of(pinned.toString()),
                                Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                                        .filter(jar -> !jar.contains("jackson-annotations")))
                        .toList());
        Path output = folder.resolve("output");
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx160m", "-cp", path));
        command.addAll(List.of(main.getName(), folder.resolve("jobs").toString()));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertTrue(process.waitFor(240, TimeUnit.SECONDS), () -> "It has not ended: " + read(output));
            return read(output);
        } finally {
            process.destroyForcibly();
        }
    }

    private static String read(Path output) {
        try {
            return Files.readString(output);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** The application. */
    static final class Main {
        private static final Duration PATIENCE = Duration.ofSeconds(100);

        private Main() {}

        public static void main(String[] arguments) throws Exception {
            Path file = Path.of(arguments[0]);
            try (Treadle treadle = Treadle.on(SqlStorageProvider.h2File(file))
                    .settings(
                            JobServerSettings.DEFAULT.withDeadAfter(DEAD_AFTER).withResource("doors", 2))
                    .resultHandler(Greet.class, (greet, job) -> {
                        job.meta("greeted", greet.name());
                        return "hello " + greet.name();
                    })
                    .start()) {
                JobTraits traits = JobTraits.DEFAULT
                        .withName("Greet {name}")
                        .withLabels("a", "b")
                        .withQueue("greetings")
                        .withUses("doors")
                        .withKey(KeyRule.limit("k", 2));
                JobId greeted = treadle.jobs()
                        .with(JobOptions.DEFAULT.withTraits(traits))
                        .enqueue(new Greet("Ada"));
                say(treadle.jobs().await(greeted, String.class, PATIENCE).orElseThrow());
                Slips slips = new Slips();
                JobId generated = treadle.jobs().enqueue(() -> slips.generate(42));
                say(treadle.jobs().await(generated, Long.class, PATIENCE).orElseThrow());
                awaitHeartbeats(treadle);
                say("heartbeats go on");
                say(treadle.jobs()
                        .await(treadle.jobs().enqueue(new Greet("again")), String.class, PATIENCE)
                        .orElseThrow());
                try {
                    LocalDate day = LocalDate.EPOCH;
                    treadle.jobs().enqueue(() -> slips.on(day));
                    say("called");
                } catch (NotCapturableException e) {
                    System.out.println(e.getMessage());
                    say("no call");
                }
            }
            try (Treadle other = Treadle.on(SqlStorageProvider.h2File(file))
                    .resultHandler(Dated.class, (dated, job) -> String.valueOf(dated.day()))
                    .start()) {
                say("started " + other);
            } catch (RuntimeException e) {
                System.out.println(e.getMessage());
                say("no start");
            }
            say("end");
        }

        /** Until more have been written than a node can leave out. */
        private static void awaitHeartbeats(Treadle treadle) throws InterruptedException {
            Duration before = Duration.ZERO;
            for (int beats = 0; beats < 10; ) {
                Duration ago = AdminStorage.of(treadle.storage())
                        .search()
                        .nodes(DEAD_AFTER)
                        .get(0)
                        .beatAgo();
                beats += ago.compareTo(before) < 0 ? 1 : 0;
                before = ago;
                Thread.sleep(20);
            }
        }

        private static void say(@Nullable Object line) {
            System.out.println("> " + line);
        }
    }
}
