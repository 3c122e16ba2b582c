package dev.treadle.storage.sql.session;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Reads SQL files. */
public final class SqlText {
    private static final String FOLDER = "/dev/treadle/storage/sql/";

    private SqlText() {}

    /** A file as it is; null if there is none. */
    public static @Nullable String read(String file) {
        try (InputStream in = SqlText.class.getResourceAsStream(FOLDER + file)) {
            return in == null ? null : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + file + " from the jar", e);
        }
    }

    public static String withoutComments(String text) {
        StringJoiner kept = new StringJoiner("\n");
        for (String line : text.split("\n")) {
            if (!line.startsWith("--")) {
                kept.add(line);
            }
        }
        return kept.toString();
    }
}
