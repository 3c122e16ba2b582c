package dev.treadle.faults;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A PostgreSQL that is run as in production, fsync on, in a folder and on a port of its own, and that can be stopped
 * and started again. One for all tests in this JVM; its end takes it along.
 */
final class RealPostgres {
    private static final int COMMAND_SECONDS_MAX = 120;

    private static RealPostgres shared;

    private final Path folder;
    private final Path binaries;
    private final int port;

    private RealPostgres() throws IOException {
        this.folder = Files.createTempDirectory("treadle-faults");
        this.binaries = installed().orElseGet(this::unpacked);
        this.port = freePort();
        if (isRoot()) {
            ownedByNobody(folder);
        }
        run("initdb", "-D", data(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync");
        Runtime.getRuntime().addShutdownHook(new Thread(this::remove));
        start();
    }

    /**
     * A port that nobody listens on, of those that are not lent to clients: while PostgreSQL is away, nobody shall get its port
     * for a connection of his own.
     */
    static int freePort() throws IOException {
        for (int tries = 0; ; tries++) {
            int port = ThreadLocalRandom.current().nextInt(15_000, 32_000);
            try (ServerSocket free = new ServerSocket(port)) {
                return free.getLocalPort();
            } catch (BindException e) {
                if (tries == 100) {
                    throw e;
                }
            }
        }
    }

    static synchronized RealPostgres shared() {
        try {
            if (shared == null) {
                shared = new RealPostgres();
            }
            return shared;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start a PostgreSQL", e);
        }
    }

    String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres&socketTimeout=60";
    }

    PGSimpleDataSource dataSource() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url());
        return source;
    }

    /** Returns when it accepts connections. */
    void start() {
        run(
                "pg_ctl",
                "-D",
                data(),
                "-w",
                "-t",
                String.valueOf(COMMAND_SECONDS_MAX),
                "-l",
                folder.resolve("server.log").toString(),
                "-o",
                "-p " + port + " -c listen_addresses=127.0.0.1 -c unix_socket_directories=" + folder,
                "start");
    }

    /** @param mode fast or immediate */
    void stop(String mode) {
        run("pg_ctl", "-D", data(), "-w", "-t", String.valueOf(COMMAND_SECONDS_MAX), "-m", mode, "stop");
    }

    private String data() {
        return folder.resolve("data").toString();
    }

    private void run(String program, String... arguments) {
        List<String> command = new ArrayList<>();
        if (isRoot()) {
            // PostgreSQL refuses to run as root
            command.addAll(List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"));
        }
        command.add(binaries.resolve(program).toString());
        command.addAll(List.of(arguments));
        Path output = folder.resolve("commands.log");
        try {
            Process process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
                    .start();
            if (!process.waitFor(COMMAND_SECONDS_MAX, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IllegalStateException(command + " failed:\n" + Files.readString(output));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void remove() {
        try {
            if (Files.exists(folder.resolve("data").resolve("postmaster.pid"))) {
                stop("immediate");
            }
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        } catch (IOException | RuntimeException e) {
            System.err.println("could not remove " + folder + ": " + e);
        }
    }

    /** Debian's newest. */
    private static Optional<Path> installed() throws IOException {
        Path debian = Path.of("/usr/lib/postgresql");
        if (!Files.isDirectory(debian)) {
            return Optional.empty();
        }
        try (Stream<Path> versions = Files.list(debian)) {
            return versions.map(version -> version.resolve("bin"))
                    .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
                    .max(Comparator.comparing(Path::toString));
        }
    }

    /** Those that the other tests run on, unpacked by starting them once. */
    private Path unpacked() {
        Path here = folder.resolve("binaries");
        try {
            Files.createDirectories(here);
            EmbeddedPostgres.builder()
                    .setOverrideWorkingDirectory(here.toFile())
                    .setPGStartupWait(Duration.ofSeconds(COMMAND_SECONDS_MAX))
                    .start()
                    .close();
            try (Stream<Path> files = Files.walk(here, 3)) {
                return files.filter(file -> file.endsWith("bin/initdb"))
                        .findFirst()
                        .orElseThrow(() -> new IllegalStateException("no initdb below " + here))
                        .getParent();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void ownedByNobody(Path folder) throws IOException {
        Files.setOwner(
                folder, folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
    }

    int port() {
        return port;
    }

    static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }
}
