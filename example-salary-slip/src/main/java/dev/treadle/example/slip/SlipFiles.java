package dev.treadle.example.slip;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.YearMonth;

/**
 * Puts salary slips into a folder, whole or not at all.
 *
 * <p>A PDF is written beside its place under another name and then moved there in one step, so that a process that is
 * killed leaves at most a {@value #UNFINISHED} file. Writing a slip again replaces it.
 */
final class SlipFiles {

    static final String UNFINISHED = ".part";

    private final Path folder;
    private final SlipRenderer renderer;

    /** Writes into the folder, which is created when the first slip comes. */
    SlipFiles(Path folder, SlipRenderer renderer) {
        this.folder = folder;
        this.renderer = renderer;
    }

    /** Where this slip is or will be: {@code 2026-03/VW-00042-2026-03.pdf} in the folder. */
    Path pathOf(SalarySlip slip) {
        return pathOf(folder, slip.period(), slip.employee().id());
    }

    /** Where the slip of one employee for one month is or will be in a folder. */
    static Path pathOf(Path folder, YearMonth period, long employeeId) {
        return folder.resolve(period.toString()).resolve(SalarySlip.reference(employeeId, period) + ".pdf");
    }

    /** Renders the slip into its file and returns the path. */
    Path write(SalarySlip slip) throws IOException, InterruptedException {
        Path target = pathOf(slip);
        Files.createDirectories(target.getParent());
        Path unfinished = Files.createTempFile(target.getParent(), slip.reference(), UNFINISHED);
        try {
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(unfinished))) {
                renderer.render(slip, out);
            }
            Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(unfinished);
        }
        return target;
    }
}
