package dev.treadle.example.slip;

import dev.treadle.server.ConcurrencyLimit;
import dev.treadle.server.JobServer;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/** What a run came to, for people. */
final class Report {
    private final PayrollRun run;
    private final Duration wall;
    private final int doneBefore;

    /** @param doneBefore slips that another process had made before this one began */
    Report(PayrollRun run, Duration wall, int doneBefore) {
        this.run = run;
        this.wall = wall;
        this.doneBefore = doneBefore;
    }

    void print(PrintStream out, JobServer server, HeapWatch heap, SlipCount slips, Path folder) {
        double seconds = Math.max(0.001, wall.toMillis() / 1000.0);
        int here = slips.succeeded() - doneBefore;
        long live = heap.liveMegabytes();
        out.println();
        line(
                out,
                "Slips",
                String.format(
                        Locale.ROOT,
                        "%,d ok, %,d failed, %,d PDFs of %,d",
                        slips.succeeded(),
                        slips.failed(),
                        slips.files(),
                        run.employees()));
        if (run.resumed()) {
            line(out, "Resumed", String.format(Locale.ROOT, "%,d were done before", doneBefore));
        }
        line(out, "Wall time", String.format(Locale.ROOT, "%.1f s, %.1f jobs/s", seconds, here / seconds));
        line(
                out,
                "Executor",
                server.self().executor() + ", up to " + server.self().workers() + " jobs at once, JDK "
                        + Runtime.version());
        line(
                out,
                "Threads",
                heap.platformThreadsPeak() + " platform threads and " + heap.jobsRunningPeak()
                        + " jobs in flight at the peak");
        ConcurrencyLimit admitted = server.admitted();
        if (admitted.guarded()) {
            line(
                    out,
                    "Heap guard",
                    admitted.admitted() + " admitted at the end, lowered " + admitted.lowered() + " and raised "
                            + admitted.raised() + " times");
        }
        line(out, "Heap size peak", heap.sizePeakMegabytes() + " MB");
        line(out, "Heap used peak", heap.usedPeakMegabytes() + " MB");
        line(out, "Live after GC", live + " MB");
        line(out, "PDFs", folder.toAbsolutePath().normalize().toString());
    }

    private static void line(PrintStream out, String name, String value) {
        out.printf(Locale.ROOT, "  %-16s%s%n", name, value);
    }

    /**
     * @param succeeded jobs that succeeded
     * @param failed    jobs that ended otherwise, or never began
     * @param files     PDFs that are there
     */
    record SlipCount(int succeeded, int failed, int files) {}
}
