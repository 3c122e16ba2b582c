package dev.treadle.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * A PostgreSQL as in production, fsync and synchronous_commit on, in a folder and on a port of its own, that can be
 * stopped and started again. Its end, or that of this process, removes it. For one thread.
 */
public final class PrivatePostgres implements AutoCloseable {
    private static final int COMMAND_SECONDS_MAX = 120;
    private static final int PORT_TRIES_MAX = 100;

    private final Path folder;
    private final String user;
    private final PostgresPrograms programs;
    private final int port;
    private final Thread atExit = new Thread(this::remove);

    private PrivatePostgres(Path folder, String user, PostgresPrograms programs, int port) {
        this.folder = folder;
        this.user = user;
        this.programs = programs;
        this.port = port;
    }

    /**
     * Starts one, and removes what killed processes left of those with the same prefix.
     *
     * @param prefix   what the names of the folders begin with
     * @param user     its superuser, who needs no password
     * @param settings as in {@code max_connections=200}, beside those that make it private
     */
    public static PrivatePostgres start(String prefix, String user, List<String> settings) {
        try {
            Leftovers.remove(Path.of(System.getProperty("java.io.tmpdir")), prefix);
            Path folder = Files.createTempDirectory(prefix);
            Leftovers.claim(folder);
            PrivatePostgres postgres = new PrivatePostgres(folder, user, PostgresPrograms.find(folder), freePort());
            Runtime.getRuntime().addShutdownHook(postgres.atExit);
            postgres.create(settings);
            postgres.start();
            return postgres;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start a PostgreSQL", e);
        }
    }

    /**
     * A port that nobody listens on. It is not one of those that the system gives to clients: while PostgreSQL is
     * stopped, no connection must get its port.
     */
    public static int freePort() throws IOException {
        for (int tries = 0; ; tries++) {
            int port = ThreadLocalRandom.current().nextInt(15_000, 32_000);
            try (ServerSocket free = new ServerSocket(port)) {
                return free.getLocalPort();
            } catch (BindException e) {
                if (tries == PORT_TRIES_MAX) {
                    throw e;
                }
            }
        }
    }

    /** Whether this process runs as root, as whom PostgreSQL refuses to run. */
    public static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    /** Gives a folder to the user that programs run as where this process runs as root. */
    public static void ownedByNobody(Path folder) throws IOException {
        Files.setOwner(
                folder, folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
    }

    private void create(List<String> settings) throws IOException {
        if (isRoot()) {
            ownedByNobody(folder);
        }
        run("initdb", "-D", data(), "-U", user, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync");
        List<String> all = new ArrayList<>(settings);
        all.addAll(List.of(
                "listen_addresses=127.0.0.1",
                "unix_socket_directories=" + folder,
                "fsync=on",
                "synchronous_commit=on"));
        if (hasStatementStatistics()) {
            all.add("shared_preload_libraries=pg_stat_statements");
            // NOTIFY is work too; BEGIN and COMMIT are left out where they are counted
            all.add("pg_stat_statements.track_utility=on");
        }
        Files.write(
                folder.resolve("data").resolve("postgresql.auto.conf"),
                all.stream()
                        .map(setting -> setting.replaceFirst("=(.*)", " = '$1'"))
                        .toList());
    }

    /** Starts it again; returns when it accepts connections. */
    public void start() {
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
                "-p " + port,
                "start");
    }

    /** @param mode fast or immediate */
    public void stop(String mode) {
        run("pg_ctl", "-D", data(), "-w", "-t", String.valueOf(COMMAND_SECONDS_MAX), "-m", mode, "stop");
    }

    /** The process that started all others of this server. */
    public long pid() {
        try {
            return Long.parseLong(Files.readAllLines(folder.resolve("data").resolve("postmaster.pid"))
                    .get(0)
                    .trim());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where it listens. */
    public int port() {
        return port;
    }

    /** The JDBC URL of a database. */
    public String url(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
    }

    /** Whether a database can have the extension {@code pg_stat_statements}. */
    public boolean hasStatementStatistics() {
        return programs.hasStatementStatistics();
    }

    private String data() {
        return folder.resolve("data").toString();
    }

    private void run(String program, String... arguments) {
        List<String> command = new ArrayList<>();
        if (isRoot()) {
            command.addAll(List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"));
        }
        command.add(programs.path(program).toString());
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
            if (Files.exists(folder.resolve("data").resolve("postmaster.pid"))) {
                stop("immediate");
            }
        } catch (RuntimeException e) {
            System.err.println("Could not stop PostgreSQL in " + folder + ": " + e);
        } finally {
            TempFolder.delete(folder);
        }
    }
}
