package dev.treadle.example.slip;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The demo in a JVM of its own with a heap that cannot hold what all slips hold at once. */
@Timeout(1_200)
class HeapGuardTest {
    private static final int SLIPS = 140;
    private static final int PATIENCE_SECONDS = 500;
    /** What {@code -XX:+ExitOnOutOfMemoryError} ends a JVM with. */
    private static final int OUT_OF_MEMORY = 3;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"UseSerialGC", "UseParallelGC", "UseG1GC"})
    void all_slips_are_made_under_the_guard_in_a_heap_in_which_memory_runs_out_without_it(String collector)
            throws IOException, InterruptedException {
        assertEquals(OUT_OF_MEMORY, demo(collector), this::printed);
        assertTrue(printed().contains("OutOfMemoryError"), this::printed);

        assertEquals(0, demo(collector, "--heap-guard"), this::printed);
        assertTrue(printed().contains(SLIPS + " ok, 0 failed, " + SLIPS + " PDFs"), this::printed);
        assertTrue(printed().contains("Heap guard "), this::printed);
    }

    private int demo(String collector, String... more) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx72m",
                "-XX:+" + collector,
                "-XX:+ExitOnOutOfMemoryError",
                // that limit counts time, so on a busy machine it says nothing about memory
                "-XX:-UseGCOverheadLimit",
                "-cp",
                System.getProperty("java.class.path"),
                Demo.class.getName(),
                "--employees=" + SLIPS,
                "--workers=" + SLIPS,
                "--executor=pool",
                "--storage=memory",
                "--time-clock=200ms-400ms",
                "--hold=700",
                "--port=0",
                "--clean",
                "--exit",
                "--out=" + folder.resolve("out")));
        command.addAll(List.of(more));
        Process demo = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("printed").toFile())
                .start();
        try {
            assertTrue(demo.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), this::printed);
            return demo.exitValue();
        } finally {
            demo.destroyForcibly();
        }
    }

    private String printed() {
        try {
            return Files.readString(folder.resolve("printed"));
        } catch (IOException e) {
            return e.toString();
        }
    }
}
