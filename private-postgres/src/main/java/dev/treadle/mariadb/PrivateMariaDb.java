package dev.treadle.mariadb;

import dev.treadle.postgres.Leftovers;
import dev.treadle.postgres.PrivatePostgres;
import dev.treadle.postgres.TempFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A MariaDB, as Debian packages it, in a folder and on a port of its own, that can be stopped, killed and started again.
 * Its end, or that of this process, removes it. For one thread.
 */
public final class PrivateMariaDb implements AutoCloseable {
    /** Who may do everything on it, without a password. */
    public static final String USER = "treadle";

    /** A setting for databases that nobody needs after the tests: nothing is forced to disk. */
    public static final String NOTHING_FORCED_TO_DISK = "--innodb-flush-method=nosync";

    private static final List<Path> FOLDERS =
            List.of(Path.of("/usr/sbin"), Path.of("/usr/bin"), Path.of("/usr/local/sbin"), Path.of("/usr/local/bin"));
    private static final int SECONDS_MAX = 120;
    private static final int LOOK_MILLIS = 50;

    private final Path folder;
    private final int port;
    private final List<String> settings;
    private final Thread atExit = new Thread(this::remove);
    private @Nullable Process server;

    private PrivateMariaDb(Path folder, int port, List<String> settings) {
        this.folder = folder;
        this.port = port;
        this.settings = settings;
    }

    /** Whether this machine has one. */
    public static boolean isInstalled() {
        return program("mariadbd").isPresent() && program("mariadb-install-db").isPresent();
    }

    private static Optional<Path> program(String name) {
        return FOLDERS.stream()
                .map(folder -> folder.resolve(name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * Starts one, and removes what killed processes left of those with the same prefix.
     *
     * @param prefix   what the names of the folders begin with
     * @param settings as on the command line, beside those that make it private
     */
    public static PrivateMariaDb start(String prefix, List<String> settings) {
        try {
            Leftovers.remove(Path.of(System.getProperty("java.io.tmpdir")), prefix);
            Path folder = Files.createTempDirectory(prefix);
            Leftovers.claim(folder);
            PrivateMariaDb maria = new PrivateMariaDb(folder, PrivatePostgres.freePort(), settings);
            Runtime.getRuntime().addShutdownHook(maria.atExit);
            maria.create();
            maria.start();
            return maria;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start a MariaDB", e);
        }
    }

    private void create() throws IOException {
        if (PrivatePostgres.isRoot()) {
            PrivatePostgres.ownedByNobody(folder);
        }
        Files.writeString(folder.resolve("init.sql"), """
                create user if not exists '%1$s'@'127.0.0.1';
                grant all on *.* to '%1$s'@'127.0.0.1' with grant option;
                create database if not exists jobs;
                """.formatted(USER));
        Process create = run(
                "mariadb-install-db",
                "--no-defaults",
                "--datadir=" + data(),
                "--auth-root-authentication-method=normal",
                "--skip-test-db",
                "--innodb-log-file-size=32M");
        if (!ended(create) || create.exitValue() != 0) {
            throw new IllegalStateException("mariadb-install-db failed:\n" + log());
        }
    }

    /** Starts it again; returns when it accepts connections. */
    public void start() {
        List<String> arguments = new ArrayList<>(List.of(
                "--no-defaults",
                "--datadir=" + data(),
                "--socket=" + folder.resolve("server.sock"),
                "--pid-file=" + folder.resolve(Leftovers.SERVER),
                "--init-file=" + folder.resolve("init.sql"),
                "--bind-address=127.0.0.1",
                "--port=" + port,
                "--skip-name-resolve",
                "--skip-log-bin",
                "--performance-schema=OFF",
                "--innodb-buffer-pool-size=64M",
                "--innodb-log-file-size=32M",
                "--max-connections=500"));
        arguments.addAll(settings);
        Process started = run("mariadbd", arguments.toArray(String[]::new));
        server = started;
        long since = System.nanoTime();
        while (!greets()) {
            if (!started.isAlive() || System.nanoTime() - since > TimeUnit.SECONDS.toNanos(SECONDS_MAX)) {
                throw new IllegalStateException("mariadbd does not accept connections:\n" + log());
            }
            rest();
        }
    }

    /** Its port is open before it is ready, so this waits for its first words. */
    private boolean greets() {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(SECONDS_MAX));
            return socket.getInputStream().read() >= 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Ends it as an administrator does; returns when it has ended. */
    public void stop() {
        end(false);
    }

    /** Ends it with SIGKILL; returns when it has ended. */
    public void kill() {
        end(true);
    }

    private void end(boolean forcibly) {
        Process ending = server;
        if (ending == null) {
            return;
        }
        if (forcibly) {
            ending.destroyForcibly();
        } else {
            ending.destroy();
        }
        if (!ended(ending)) {
            throw new IllegalStateException("mariadbd does not end:\n" + log());
        }
        server = null;
    }

    /** The JDBC URL of a database; {@code jobs} is there from the beginning. */
    public String url(String database) {
        return "jdbc:mariadb://127.0.0.1:" + port + "/" + database + "?user=" + USER;
    }

    private Path data() {
        return folder.resolve("data");
    }

    private String log() {
        try {
            return Files.readString(folder.resolve("server.log"));
        } catch (IOException e) {
            return "(there is no log: " + e + ")";
        }
    }

    private Process run(String program, String... arguments) {
        List<String> command = new ArrayList<>();
        if (PrivatePostgres.isRoot()) {
            command.addAll(List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"));
        }
        command.add(program(program)
                .orElseThrow(() -> new IllegalStateException("There is no " + program + " on this machine."))
                .toString());
        command.addAll(Stream.of(arguments).toList());
        try {
            return new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(
                            folder.resolve("server.log").toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean ended(Process process) {
        try {
            return process.waitFor(SECONDS_MAX, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static void rest() {
        try {
            Thread.sleep(LOOK_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(atExit);
        remove();
    }

    private void remove() {
        try {
            kill();
        } catch (RuntimeException e) {
            System.err.println("Could not end MariaDB in " + folder + ": " + e);
        } finally {
            TempFolder.delete(folder);
        }
    }
}
