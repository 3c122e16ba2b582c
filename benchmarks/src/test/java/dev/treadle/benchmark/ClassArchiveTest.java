package dev.treadle.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ClassArchiveTest {
    private static final Task TASK = new Task(Task.Kind.START, Peer.TREADLE, "none", 0, 1, Map.of());

    @Test
    void processes_that_measure_begin_with_child() {
        assertEquals(Child.class.getName(), ChildJvm.CHILD);
    }

    @Test
    void a_process_starts_from_the_archive_that_an_earlier_one_wrote() throws Exception {
        try (ClassArchive archive = new ClassArchive()) {
            assertThrows(IllegalStateException.class, () -> archive.reading(TASK), "there is none yet");

            double without = classesLoadedBy(archive.writing(TASK));
            double with = classesLoadedBy(archive.reading(TASK));

            assertTrue(with < without, with + " classes not from an archive, and " + without + " before");
        }
    }

    @Test
    void a_process_that_cannot_use_the_archive_does_not_start_without_it() throws Exception {
        try (ClassArchive archive = new ClassArchive()) {
            classesLoadedBy(archive.writing(TASK));
            assertTrue(Files.size(archive.file()) > 0);
            Files.write(archive.file(), new byte[10_000]);

            assertThrows(IllegalStateException.class, () -> classesLoadedBy(archive.reading(TASK)));
        }
    }

    /** How many classes the process had to load from elsewhere than an archive. */
    private static double classesLoadedBy(Task task) {
        try (ChildJvm jvm = new ChildJvm(task, ArchivedMain.class)) {
            jvm.answer();
            return ClassLoading.of(jvm.pid()).values().getOrDefault(Measure.CLASSES_UNSHARED, 0.0);
        }
    }
}
