package dev.treadle.showdown;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a collector's log (-Xlog:gc) comes to. It costs the run no heap, as a recording and an observer do.
 *
 * @param heapSize     the most that the JVM held after a collection, in MB
 * @param pauses       how many
 * @param pausedMillis how long in all
 */
record GcLog(int heapSize, int pauses, long pausedMillis) {
    /** Asks a JVM for it, on its standard output. */
    static final String FLAG = "-Xlog:gc:stdout";

    /** Such as {@code [2.345s][info][gc] GC(7) Pause Young (Normal) (G1 Evacuation Pause) 46M->21M(64M) 2.871ms}. */
    private static final Pattern PAUSE = Pattern.compile("Pause .* \\d+M->\\d+M\\((\\d+)M\\) ([0-9.]+)ms");

    static GcLog read(Path log) throws IOException {
        int size = 0;
        int pauses = 0;
        double millis = 0;
        for (String line : Files.readAllLines(log)) {
            Matcher pause = PAUSE.matcher(line);
            if (pause.find()) {
                size = Math.max(size, Integer.parseInt(pause.group(1)));
                millis += Double.parseDouble(pause.group(2));
                pauses++;
            }
        }
        return new GcLog(size, pauses, Math.round(millis));
    }
}
