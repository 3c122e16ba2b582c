package dev.treadle.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A folder that is gone when it is closed, and when this process is told to end. */
public final class TempFolder implements AutoCloseable {
    private final Path path;
    private final Thread atExit = new Thread(this::delete);

    /** @param name what it begins with */
    public TempFolder(String name) {
        try {
            this.path = Files.createTempDirectory(name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /** Where it is. */
    public Path path() {
        return path;
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(atExit);
        delete();
    }

    private void delete() {
        delete(path);
    }

    /** Deletes a folder and all in it, and says so if it cannot. */
    public static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            System.err.println("Could not remove " + folder + ": " + e);
        }
    }
}
