package dev.treadle.benchmark;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * What another JVM has spent on classes so far, on all its threads together, from its performance counters; empty where
 * it keeps none.
 */
final class ClassLoading {
    private ClassLoading() {}

    static Sample of(long pid) {
        Map<String, String> counters = counters(pid);
        String classes = counters.get("java.cls.loadedClasses");
        String shared = counters.get("java.cls.sharedLoadedClasses");
        String verifying = counters.get("sun.cls.classVerifyTime");
        String ticks = counters.get("sun.cls.time");
        String perSecond = counters.get("sun.os.hrt.frequency");
        if (classes == null || shared == null || verifying == null || ticks == null || perSecond == null) {
            return new Sample(Map.of());
        }
        return Sample.of(Measure.CLASSES, Long.parseLong(classes) + Long.parseLong(shared))
                .with(Measure.CLASSES_UNSHARED, Long.parseLong(classes))
                .with(Measure.CLASSES_MILLIS, millis(ticks, perSecond))
                .with(Measure.VERIFY_MILLIS, millis(verifying, perSecond));
    }

    private static double millis(String ticks, String perSecond) {
        return Long.parseLong(ticks) * 1e3 / Long.parseLong(perSecond);
    }

    private static Map<String, String> counters(long pid) {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        Map<String, String> counters = new HashMap<>();
        try {
            Process process = new ProcessBuilder(jcmd.toString(), String.valueOf(pid), "PerfCounter.print")
                    .redirectErrorStream(true)
                    .start();
            try (BufferedReader lines = process.inputReader()) {
                for (String line; (line = lines.readLine()) != null; ) {
                    int equals = line.indexOf('=');
                    if (equals > 0) {
                        counters.put(line.substring(0, equals), line.substring(equals + 1));
                    }
                }
            }
            return counters;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
