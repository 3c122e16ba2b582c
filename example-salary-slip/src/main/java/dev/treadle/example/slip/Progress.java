package dev.treadle.example.slip;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/** One line that says how far the run is: redrawn on a terminal, repeated now and then in a log. */
final class Progress {
    private static final int BAR_WIDTH = 24;
    private static final Duration LOG_EVERY = Duration.ofSeconds(5);

    private final PrintStream out;
    private final boolean terminal;
    private final int total;
    private Duration nextLog = Duration.ZERO;

    Progress(PrintStream out, boolean terminal, int total) {
        this.out = out;
        this.terminal = terminal;
        this.total = total;
    }

    /**
     * Shows where the run stands.
     *
     * @param before how many had been done when this process began
     * @param extra  what else there is to say
     */
    void show(int done, int before, Duration elapsed, String extra) {
        String line = line(done, before, elapsed, extra);
        if (terminal) {
            out.print("\r\u001b[K" + line);
            out.flush();
        } else if (elapsed.compareTo(nextLog) >= 0) {
            out.println(line);
            nextLog = elapsed.plus(LOG_EVERY);
        }
    }

    /** Shows where the run ended, and leaves the line. */
    void end(int done, int before, Duration elapsed, String extra) {
        out.println((terminal ? "\r\u001b[K" : "") + line(done, before, elapsed, extra));
    }

    String line(int done, int before, Duration elapsed, String extra) {
        double seconds = Math.max(0.001, elapsed.toMillis() / 1000.0);
        double rate = (done - before) / seconds;
        int filled = (int) ((long) BAR_WIDTH * done / total);
        String bar = "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
        String eta = rate > 0 ? String.format(Locale.ROOT, "ETA %.0f s", (total - done) / rate) : "ETA –";
        return String.format(Locale.ROOT, "%s %,d/%,d slips  %.1f/s  %s  %s", bar, done, total, rate, eta, extra);
    }
}
