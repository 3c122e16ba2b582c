package dev.treadle.storage.sql;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Reads SQL files: the dialect's own if it has one, else the common one. */
final class SqlText {
    private SqlText() {}

    /** The statement of a verb, without its comments; empty if the dialect does it with other verbs. */
    static Optional<String> verb(Dialect dialect, String verb) {
        String own = read(dialect.folder() + "/" + verb + ".sql");
        String text = own != null ? own : read(verb + ".sql");
        return Optional.ofNullable(text).map(SqlText::withoutComments);
    }

    /** A file as it is; null if there is none. */
    static @Nullable String read(String file) {
        try (InputStream in = SqlText.class.getResourceAsStream(file)) {
            return in == null ? null : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + file + " from the jar", e);
        }
    }

    static String withoutComments(String text) {
        StringJoiner kept = new StringJoiner("\n");
        for (String line : text.split("\n")) {
            if (!line.startsWith("--")) {
                kept.add(line);
            }
        }
        return kept.toString();
    }
}
