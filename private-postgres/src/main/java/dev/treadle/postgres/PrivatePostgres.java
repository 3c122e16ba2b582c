package dev.treadle.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL as in production, fsync and synchronous_commit on, in a folder and on a port of its own, that can be
 * stopped and started again. Its end, or that of this process, removes it. For one thread.
 */
public final class PrivatePostgres implements AutoCloseable {
    private static final int COMMAND_SECONDS_MAX = 120;
    private static final int PORT_TRIES_MAX = 100;
    /** Which line of its process file names its shared memory, counted from 0: key and id. */
    private static final int SHARED_MEMORY_LINE = 6;

    private final Path folder;
    private final String user;
    private final List<String> settings;
    private final PostgresPrograms programs;
    private final int port;
    private final Thread atExit = new Thread(this::remove);

    private PrivatePostgres(Path folder, String user, List<String> settings, PostgresPrograms programs, int port) {
        this.folder = folder;
        this.user = user;
        this.settings = settings;
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
            PrivatePostgres postgres = prepare(prefix, user, settings, null);
            postgres.run(
                    "initdb",
                    "-D",
                    postgres.data().toString(),
                    "-U",
                    user,
                    "-A",
                    "trust",
                    "-E",
                    "UTF8",
                    "--locale=C",
                    "--no-sync");
            postgres.configure(List.of());
            postgres.start();
            return postgres;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start a PostgreSQL", e);
        }
    }

    /** Another server of the same programs, which has a folder and a port, and no database yet. This one ends after it. */
    PrivatePostgres another(String prefix) throws IOException {
        return prepare(prefix, user, settings, programs);
    }

    /** @param programs null to look for them */
    private static PrivatePostgres prepare(
            String prefix, String user, List<String> settings, @Nullable PostgresPrograms programs) throws IOException {
        Leftovers.remove(Path.of(System.getProperty("java.io.tmpdir")), prefix);
        Path folder = Files.createTempDirectory(prefix);
        Leftovers.claim(folder);
        PrivatePostgres postgres = new PrivatePostgres(
                folder,
                user,
                List.copyOf(settings),
                programs == null ? PostgresPrograms.find(folder) : programs,
                freePort());
        Runtime.getRuntime().addShutdownHook(postgres.atExit);
        if (isRoot()) {
            ownedByNobody(folder);
        }
        return postgres;
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

    /** @param more as in {@code primary_conninfo=…}, beside those that it was made with */
    private void configure(List<String> more) throws IOException {
        List<String> all = new ArrayList<>(settings);
        all.addAll(more);
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
                data().resolve("postgresql.auto.conf"),
                all.stream()
                        .map(setting -> setting.replaceFirst("=(.*)", " = '$1'"))
                        .toList());
    }

    /**
     * Becomes a standby of another server, whatever it was before; returns when it accepts connections.
     *
     * @param name what the other one knows it by
     */
    void follow(PrivatePostgres primary, String name) throws IOException, SQLException {
        if (Files.exists(data())) {
            TempFolder.delete(data());
        }
        OnlineBackup.of(primary.url("postgres") + "?user=" + user, primary.data(), data());
        configure(List.of("primary_conninfo=host=127.0.0.1 port=" + primary.port + " user=" + user
                + " application_name=" + name));
        Path signal = Files.createFile(data().resolve("standby.signal"));
        if (isRoot()) {
            ownedByNobody(signal);
        }
        start();
    }

    /** Takes writes from now on, although its primary may be gone; returns when it does. */
    void promote() {
        run("pg_ctl", "-D", data().toString(), "-w", "-t", String.valueOf(COMMAND_SECONDS_MAX), "promote");
    }

    /** Starts it again; returns when it accepts connections. */
    public void start() {
        run(
                "pg_ctl",
                "-D",
                data().toString(),
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
        run("pg_ctl", "-D", data().toString(), "-w", "-t", String.valueOf(COMMAND_SECONDS_MAX), "-m", mode, "stop");
    }

    /** SIGKILL to all of its processes, as when its machine vanishes; returns when they are gone. */
    public void kill() {
        ProcessHandle postmaster = ProcessHandle.of(pid()).orElseThrow();
        List<ProcessHandle> all =
                Stream.concat(Stream.of(postmaster), postmaster.descendants()).toList();
        all.forEach(ProcessHandle::destroyForcibly);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(COMMAND_SECONDS_MAX);
        while (all.stream().anyMatch(ProcessHandle::isAlive)) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("Processes of PostgreSQL outlive SIGKILL: " + all);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        forgetProcess();
    }

    /** Nobody is there any more to remove what a server that stops removes. */
    private void forgetProcess() {
        try {
            String memory = Files.readAllLines(pidFile()).get(SHARED_MEMORY_LINE);
            Files.delete(pidFile());
            new ProcessBuilder("ipcrm", "--shmem-id", memory.trim().split("\\s+")[1])
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(
                            folder.resolve("commands.log").toFile()))
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private Path pidFile() {
        return data().resolve("postmaster.pid");
    }

    /** The process that started all others of this server. */
    public long pid() {
        try {
            return Long.parseLong(Files.readAllLines(pidFile()).get(0).trim());
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

    private Path data() {
        return folder.resolve("data");
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
            if (Files.exists(pidFile())) {
                stop("immediate");
            }
        } catch (RuntimeException e) {
            System.err.println("Could not stop PostgreSQL in " + folder + ": " + e);
        } finally {
            TempFolder.delete(folder);
        }
    }
}
