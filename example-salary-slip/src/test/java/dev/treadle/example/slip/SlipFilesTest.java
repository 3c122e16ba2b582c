package dev.treadle.example.slip;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlipFilesTest {

    private final SalarySlip slip = SampleSlips.march(5);

    @TempDir
    Path folder;

    @Test
    void a_written_slip_is_alone_in_its_month() throws Exception {
        Path pdf = new SlipFiles(folder, new SlipRenderer()).write(slip);

        assertEquals(folder.resolve("2026-03").resolve("VW-00005-2026-03.pdf"), pdf);
        Pdf.read(Files.readAllBytes(pdf)).shows(slip);
        assertEquals(List.of(pdf), filesIn(pdf.getParent()));
    }

    @Test
    void writing_again_replaces_the_slip() throws Exception {
        SlipFiles files = new SlipFiles(folder, new SlipRenderer());
        Path pdf = files.write(slip);
        Files.writeString(pdf, "half");

        files.write(slip);

        Pdf.read(Files.readAllBytes(pdf)).shows(slip);
    }

    @Test
    void while_a_slip_is_rendered_nothing_has_its_final_name() throws Exception {
        FoSource saved = SavedFo.fromBuild();
        SlipFiles files = new SlipFiles(
                folder,
                new SlipRenderer(
                        slip -> {
                            List<Path> seen = filesIn(folder.resolve("2026-03"));
                            assertEquals(1, seen.size());
                            assertTrue(seen.get(0).toString().endsWith(SlipFiles.UNFINISHED), seen::toString);
                            return saved.foFor(slip);
                        },
                        1));

        assertTrue(Files.exists(files.write(slip)));
    }

    @Test
    void a_failed_slip_leaves_nothing_behind() {
        SlipFiles files = new SlipFiles(folder, new SlipRenderer(slip -> "<broken", 1));

        assertThrows(IllegalStateException.class, () -> files.write(slip));

        assertEquals(List.of(), filesIn(folder.resolve("2026-03")));
    }

    private static List<Path> filesIn(Path folder) {
        try (var files = Files.list(folder)) {
            return files.toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
