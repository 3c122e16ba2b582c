package dev.treadle.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A PostgreSQL as in production, fsync and synchronous_commit on, in a folder and on a port of its own. Gone when it is
 * closed, and when this process is told to end.
 */
final class PrivatePostgres implements AutoCloseable {
    /** How often to try to copy a database that somebody is still leaving; PostgreSQL itself waits 5 s each time. */
    private static final int COPY_TRIES_MAX = 10;

    static final String USER = "bench";
    private static final String PREFIX = "treadle-bench-pg";
    private static final int COMMAND_SECONDS_MAX = 120;
    /** Small enough for a test machine, large enough that no run is about reading from disk. */
    private static final List<String> SETTINGS = List.of(
            "listen_addresses=127.0.0.1",
            "max_connections=200",
            "shared_buffers=1GB",
            "max_wal_size=8GB",
            "fsync=on",
            "synchronous_commit=on");

    private final Path folder;
    private final PostgresPrograms programs;
    private final int port;
    private final Thread atExit = new Thread(this::remove);

    private PrivatePostgres(Path folder, PostgresPrograms programs, int port) {
        this.folder = folder;
        this.programs = programs;
        this.port = port;
    }

    static PrivatePostgres start() {
        try {
            Leftovers.remove(Path.of(System.getProperty("java.io.tmpdir")), PREFIX);
            Path folder = Files.createTempDirectory(PREFIX);
            Leftovers.claim(folder);
            PostgresPrograms programs = PostgresPrograms.find(folder);
            int port;
            try (ServerSocket free = new ServerSocket(0)) {
                port = free.getLocalPort();
            }
            PrivatePostgres postgres = new PrivatePostgres(folder, programs, port);
            Runtime.getRuntime().addShutdownHook(postgres.atExit);
            postgres.begin();
            return postgres;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start a PostgreSQL", e);
        }
    }

    private void begin() throws IOException {
        if (isRoot()) {
            Files.setOwner(
                    folder,
                    folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
        }
        run("initdb", "-D", data(), "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync");
        List<String> settings = new ArrayList<>(SETTINGS);
        settings.add("unix_socket_directories=" + folder);
        if (programs.hasStatementStatistics()) {
            settings.add("shared_preload_libraries=pg_stat_statements");
            // NOTIFY is work too; BEGIN and COMMIT are left out where they are counted
            settings.add("pg_stat_statements.track_utility=on");
        }
        Files.write(
                folder.resolve("data").resolve("postgresql.auto.conf"),
                settings.stream()
                        .map(setting -> setting.replaceFirst("=(.*)", " = '$1'"))
                        .toList());
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

    /** The process all others of this server are children of. */
    long pid() {
        try {
            return Long.parseLong(Files.readAllLines(folder.resolve("data").resolve("postmaster.pid"))
                    .get(0)
                    .trim());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String url(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
    }

    /** Makes an empty database. */
    String createDatabase(String name) {
        try (Database admin = new Database(url("postgres"))) {
            admin.run("create database " + name);
        }
        if (programs.hasStatementStatistics()) {
            try (Database fresh = new Database(url(name))) {
                fresh.run("create extension pg_stat_statements");
            }
        }
        return url(name);
    }

    /** Makes a database as another one is, which nobody may be connected to. */
    String copyDatabase(String from, String name) {
        try (Database admin = new Database(url("postgres"))) {
            // autovacuum and a connection that has just been closed count as somebody, too, so they are sent away first
            admin.run("alter database " + from + " allow_connections false");
            for (int tries = 1; ; tries++) {
                try {
                    admin.run("select pg_terminate_backend(pid) from pg_stat_activity where datname = '" + from + "'");
                    admin.run("create database " + name + " template " + from);
                    break;
                } catch (IllegalStateException e) {
                    if (tries == COPY_TRIES_MAX) {
                        throw e;
                    }
                }
            }
            admin.run("alter database " + from + " allow_connections true");
            admin.run("checkpoint");
        }
        return url(name);
    }

    void dropDatabase(String name) {
        try (Database admin = new Database(url("postgres"))) {
            admin.run("drop database if exists " + name + " with (force)");
        }
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
                run("pg_ctl", "-D", data(), "-w", "-m", "immediate", "stop");
            }
        } catch (RuntimeException e) {
            System.err.println("Could not stop PostgreSQL in " + folder + ": " + e);
        } finally {
            TempFolder.delete(folder);
        }
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }
}
