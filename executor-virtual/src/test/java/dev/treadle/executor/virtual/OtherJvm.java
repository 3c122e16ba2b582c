package dev.treadle.executor.virtual;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.treadle.executor.JobRunrExecutor;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;
import org.objectweb.asm.ClassReader;
import org.slf4j.Logger;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.ObjectMapper;

/** Another JVM of a given JDK, in which a small application compiled for Java 17 chooses its executor. */
final class OtherJvm {
    private static final String APPLICATION = """
            package application;

            public class Application {
                public static void main(String[] arguments) throws Exception {
                    var discovery = new dev.treadle.discovery.ExecutorDiscovery();
                    var chosen = arguments.length == 0 ? discovery.byPriority() : discovery.byName(arguments[0]);
                    var executor = chosen.executor();
                    executor.start(new dev.treadle.executor.ExecutorSettings(2));
                    var ran = new java.util.concurrent.CountDownLatch(1);
                    executor.execute(() -> {
                        System.out.println("Ran on " + Thread.currentThread().getName());
                        ran.countDown();
                    });
                    ran.await();
                    executor.stop();
                    System.out.println(chosen.summary());
                }
            }
            """;
    /** Discovery is not exported, but what it found and skipped is to be seen. */
    private static final List<String> DISCOVERY =
            List.of("--add-exports", "dev.treadle.core/dev.treadle.discovery=application");

    private static final String DESCRIPTOR = "module application { requires dev.treadle.core; }";

    private final Path folder;
    private final Path java;

    private OtherJvm(Path folder, Path java) {
        this.folder = folder;
        this.java = java;
    }

    /** Of the JDK in the folder that the build names in the given property; without one the test is skipped. */
    static OtherJvm of(String homeProperty, Path folder) throws IOException {
        String home = System.getProperty(homeProperty, "none");
        Path java = Path.of(home, "bin", "java");
        assumeTrue(Files.exists(java), homeProperty + " is " + home + ": there is no such JDK here to test on");
        compile(folder);
        return new OtherJvm(folder, java);
    }

    String onTheClassPath(String... arguments) throws Exception {
        return run(List.of("-cp", path(), "application.Application"), arguments);
    }

    String onTheModulePath(String... arguments) throws Exception {
        List<String> how = new ArrayList<>(DISCOVERY);
        how.addAll(List.of("--module-path", path(), "-m", "application/application.Application"));
        return run(how, arguments);
    }

    private String run(List<String> how, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(java.toString()));
        command.addAll(how);
        command.addAll(Arrays.asList(arguments));
        Path output = folder.resolve("output.txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertTrue(process.waitFor(180, TimeUnit.SECONDS), "it did not end: " + command);
        } finally {
            process.destroyForcibly();
        }
        String said = Files.readString(output);
        assertEquals(0, process.exitValue(), said);
        return said;
    }

    private static void compile(Path folder) throws IOException {
        Path main = Files.writeString(folder.resolve("Application.java"), APPLICATION);
        Path descriptor = Files.writeString(folder.resolve("module-info.java"), DESCRIPTOR);
        int result = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "--release",
                        "17",
                        DISCOVERY.get(0),
                        DISCOVERY.get(1),
                        "--module-path",
                        shipped(),
                        "-d",
                        folder.resolve("classes").toString(),
                        main.toString(),
                        descriptor.toString());
        assertEquals(0, result);
    }

    private String path() {
        return folder.resolve("classes") + File.pathSeparator + shipped();
    }

    /** What an application with the virtual-thread jar has on its path. */
    private static String shipped() {
        return Stream.of(
                        JobRunrExecutor.class,
                        VirtualThreadJobRunrExecutor.class,
                        Logger.class,
                        NullMarked.class,
                        ClassReader.class,
                        ObjectMapper.class,
                        JsonParser.class,
                        JsonProperty.class)
                .map(OtherJvm::locationOf)
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String locationOf(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
