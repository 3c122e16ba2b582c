package dev.treadle.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The page that people read. Between {@code <!-- bench:name -->} and {@code <!-- /bench -->} stands what was measured;
 * everything else is written by hand and left alone.
 */
final class PerformancePage {
    private static final String END = "<!-- /bench -->";

    private final Path file;

    PerformancePage(Path file) {
        this.file = file;
    }

    /** Replaces a block, or adds it at the end if the page has none of that name. */
    void put(String name, List<String> lines) {
        try {
            String page = Files.exists(file) ? Files.readString(file) : "# Performance\n";
            Files.writeString(file, replaced(page, name, String.join("\n", lines)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String replaced(String page, String name, String text) {
        String begin = "<!-- bench:" + name + " -->";
        String block = begin + "\n" + text.strip() + "\n" + END;
        int from = page.indexOf(begin);
        if (from < 0) {
            return page.stripTrailing() + "\n\n" + block + "\n";
        }
        int to = page.indexOf(END, from);
        if (to < 0) {
            throw new IllegalArgumentException("The block " + begin + " has no end: " + END + " is missing.");
        }
        return page.substring(0, from) + block + page.substring(to + END.length());
    }
}
