package dev.treadle.executor.virtual;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With this jar present, Java 17 starts and uses the pool, and Java 21 and later use virtual threads. */
class OtherJvmTest {
    private static final String BASE = "treadle.jdk.base.home";
    private static final String VIRTUAL = "treadle.jdk.virtual.home";

    @TempDir
    private Path folder;

    @Test
    void java_17_skips_it_with_one_line_on_the_class_path() throws Exception {
        assertSkipped(OtherJvm.of(BASE, folder).onTheClassPath());
    }

    @Test
    void java_17_skips_it_with_one_line_on_the_module_path() throws Exception {
        assertSkipped(OtherJvm.of(BASE, folder).onTheModulePath());
    }

    @Test
    void a_newer_java_chooses_it_on_the_class_path() throws Exception {
        assertChosen(OtherJvm.of(VIRTUAL, folder).onTheClassPath());
    }

    @Test
    void a_newer_java_chooses_it_on_the_module_path() throws Exception {
        assertChosen(OtherJvm.of(VIRTUAL, folder).onTheModulePath());
    }

    @Test
    void the_pool_can_be_named_on_a_newer_java() throws Exception {
        String said = OtherJvm.of(VIRTUAL, folder).onTheModulePath("pool");

        assertTrue(said.contains("Ran on backgroundjob-worker-pool-"), said);
        assertTrue(said.contains("by name; found virtual ("), said);
    }

    private static void assertSkipped(String said) {
        assertTrue(said.contains("Ran on backgroundjob-worker-pool-"), said);
        assertTrue(said.contains("Executor: chosen pool ("), said);
        assertTrue(
                said.matches("(?s).*skipped dev\\.treadle\\.executor\\.virtual\\.VirtualThreadJobRunrExecutor: "
                        + "needs Java 21, this is Java (17|18|19|20)\\R.*"),
                said);
        assertFalse(said.contains("Exception"), said);
    }

    private static void assertChosen(String said) {
        assertTrue(said.contains("Ran on treadle-virtual-1"), said);
        assertTrue(said.contains("Executor: chosen virtual ("), said);
        assertFalse(said.contains("skipped"), said);
    }
}
