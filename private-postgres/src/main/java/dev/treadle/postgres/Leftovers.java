package dev.treadle.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Databases of measurements that were killed and could not remove anything. Each folder says whose it is, so that those
 * of a measurement that still runs are left alone.
 */
public final class Leftovers {
    /** Where a MariaDB writes the number of its process; its command line has the path of this file. */
    public static final String SERVER = "server.pid";

    private static final String OWNER = "owner.pid";
    /** How long a database may take to end. */
    private static final int SECONDS_MAX = 10;

    private Leftovers() {}

    /** Notes that a folder is this process's. */
    public static void claim(Path folder) throws IOException {
        Files.writeString(
                folder.resolve(OWNER), String.valueOf(ProcessHandle.current().pid()));
    }

    /** Ends and removes what nobody owns any more. */
    public static void remove(Path parent, String prefix) {
        try (Stream<Path> folders = Files.list(parent)) {
            folders.filter(folder -> folder.getFileName().toString().startsWith(prefix))
                    .filter(Leftovers::isOrphan)
                    .toList()
                    .forEach(Leftovers::remove);
        } catch (IOException e) {
            System.err.println("Could not look for what was left in " + parent + ": " + e);
        }
    }

    private static boolean isOrphan(Path folder) {
        List<String> owner = lines(folder.resolve(OWNER));
        return !owner.isEmpty() && !isAlive(owner.get(0));
    }

    private static void remove(Path folder) {
        List<String> postmaster = lines(folder.resolve("data").resolve("postmaster.pid"));
        // its second line is its data folder: the number alone may be somebody else's by now
        if (postmaster.size() > 1
                && postmaster.get(1).equals(folder.resolve("data").toString())) {
            // on SIGTERM it waits for its clients, which are gone with the measurement
            ProcessHandle.of(Long.parseLong(postmaster.get(0).trim()))
                    .filter(process -> process.info().command().orElse("").endsWith("postgres"))
                    .ifPresent(process -> {
                        process.destroy();
                        awaitEnd(process);
                    });
        }
        killMariaDb(folder.resolve(SERVER));
        TempFolder.delete(folder);
    }

    private static void killMariaDb(Path pidFile) {
        lines(pidFile).stream()
                .findFirst()
                .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid.trim())))
                .filter(process -> process.info().commandLine().orElse("").contains(pidFile.toString()))
                .ifPresent(process -> {
                    process.destroyForcibly();
                    awaitEnd(process);
                });
    }

    private static void awaitEnd(ProcessHandle process) {
        process.onExit()
                .orTimeout(SECONDS_MAX, TimeUnit.SECONDS)
                .exceptionally(late -> process)
                .join();
    }

    private static boolean isAlive(String pid) {
        try {
            return ProcessHandle.of(Long.parseLong(pid.trim())).isPresent();
        } catch (NumberFormatException e) {
            return true;
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of();
        }
    }
}
