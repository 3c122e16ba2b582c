package dev.treadle.example.slip;

import dev.treadle.job.JobContext;
import dev.treadle.job.JobRequestHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.YearMonth;
import java.util.Locale;

/** Writes the report beside the slips; writing it again replaces it. */
final class ReportPayrollHandler implements JobRequestHandler<ReportPayroll> {
    private final Path folder;

    ReportPayrollHandler(Path folder) {
        this.folder = folder;
    }

    static Path pathOf(Path folder, YearMonth period) {
        return folder.resolve(period.toString()).resolve("payroll.txt");
    }

    @Override
    public void run(ReportPayroll report, JobContext job) throws IOException {
        Path path = pathOf(folder, report.period());
        Files.createDirectories(path.getParent());
        Files.writeString(
                path,
                String.format(
                        Locale.ROOT,
                        "Payroll of %s: %,d slips, %,d missing.%n",
                        report.period(),
                        report.slips(),
                        report.missing()));
    }
}
