package dev.treadle.showdown;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class SlipJvmTest {
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    @TempDir
    private Path folder;

    private Path working;

    @Test
    void a_run_that_ends_well_has_finished_and_its_marks_were_heard() throws Exception {
        try (SlipJvm jvm = start(PATIENCE, "-Xmx64m", "finish")) {
            assertTrue(jvm.await("@ready").isPresent());
            jvm.tell("go");
            assertEquals(Optional.of(List.of("1000")), jvm.await("@begin"));
            assertEquals(Optional.of(List.of("2000", "3")), jvm.await("@end"));
            assertEquals(new SlipJvm.Ended(Fate.FINISHED, ""), jvm.end());
        }
    }

    @Test
    void a_run_that_says_it_is_incomplete_is_told_with_its_code_and_last_words() throws Exception {
        assertEquals(
                new SlipJvm.Ended(Fate.INCOMPLETE, "exit code 1: 2 of 3 slips"), ended(PATIENCE, "-Xmx64m", "fail"));
    }

    @Test
    void a_run_without_heap_left_died_of_that() throws Exception {
        SlipJvm.Ended ended = ended(PATIENCE, "-Xmx16m", "eat");

        assertEquals(Fate.OUT_OF_MEMORY, ended.fate());
        assertTrue(ended.how().contains("Java heap space"), ended::toString);
    }

    @Test
    void a_heap_in_which_no_jvm_starts_is_too_small() throws Exception {
        SlipJvm.Ended ended = ended(PATIENCE, "-Xmx1m", "finish");

        assertEquals(Fate.OUT_OF_MEMORY, ended.fate());
        assertTrue(ended.how().contains("Too small maximum heap"), ended::toString);
    }

    @Test
    void a_run_over_its_limit_is_ended_and_its_process_is_gone() throws Exception {
        try (SlipJvm jvm = start(Duration.ofSeconds(3), "-Xmx64m", "hang")) {
            jvm.tell("go");
            assertEquals(Optional.empty(), jvm.await("@end"));
            SlipJvm.Ended ended = jvm.end();

            assertEquals(new SlipJvm.Ended(Fate.OVER_TIME, "ended by force after its limit of 3 s"), ended);
            assertFalse(ProcessHandle.of(jvm.pid()).map(ProcessHandle::isAlive).orElse(false));
        }
    }

    @Test
    void closing_ends_a_run_in_the_middle_and_removes_its_folder() throws Exception {
        SlipJvm jvm = start(PATIENCE, "-Xmx64m", "hang");
        jvm.await("@ready");
        assertEquals(1, jvm.slips());

        jvm.close();

        assertFalse(ProcessHandle.of(jvm.pid()).map(ProcessHandle::isAlive).orElse(false));
        assertFalse(Files.exists(working));
    }

    private SlipJvm.Ended ended(Duration limit, String heap, String how) throws Exception {
        try (SlipJvm jvm = start(limit, heap, how)) {
            jvm.tell("go");
            return jvm.end();
        }
    }

    private SlipJvm start(Duration limit, String heap, String how) throws IOException {
        working = Files.createTempDirectory(folder, "working");
        Files.createFile(Files.createDirectory(working.resolve("out")).resolve("slip.pdf"));
        return new SlipJvm(
                List.of(
                        Jdk.own().home().resolve("bin/java").toString(),
                        heap,
                        "-XX:+UseG1GC",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FakeSlips.class.getName(),
                        how),
                working,
                Files.createTempFile(folder, "run", ".log"),
                limit);
    }
}
