package dev.treadle.storage.sql.session;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Reads SQL files: the dialect's own if it has one, else the common one. */
public final class SqlText {
    private static final String FOLDER = "/dev/treadle/storage/sql/";

    private SqlText() {}

    /** The statement of a verb, without its comments; empty if the dialect does it with other verbs. */
    public static Optional<String> verb(String dialect, String verb) {
        String own = read(dialect + "/" + verb + ".sql");
        String text = own != null ? own : read("portable/" + verb + ".sql");
        return Optional.ofNullable(text).map(SqlText::withoutComments);
    }

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
