package dev.treadle.faults;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A file to which many processes append, each line with one write, so that a line is there whole or not at all and
 * survives the death of its process. Thread-safe. Not a channel: those are closed when their thread is interrupted.
 */
final class EventFile implements AutoCloseable {
    private final FileOutputStream out;

    EventFile(Path path) throws IOException {
        this.out = new FileOutputStream(path.toFile(), true);
    }

    void append(String line) {
        try {
            out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
