package dev.treadle.faults;

import dev.treadle.postgres.PrivatePostgres;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A PgBouncer before the real PostgreSQL, as Debian packages it, in a folder and on a port of its own. */
final class PgBouncer implements AutoCloseable {
    /** Sessions on the server that all clients share, fewer than a test has clients. */
    static final int SESSIONS = 6;

    private final Process process;
    private final int port;

    private PgBouncer(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Where the program is; empty if this machine has none. */
    static Optional<Path> program() {
        return Stream.of("/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Returns when it accepts connections. */
    static PgBouncer start(RealPostgres postgres, String mode, int sessions) throws IOException {
        Path folder = Files.createTempDirectory("treadle-pgbouncer");
        int port = PrivatePostgres.freePort();
        Path settings = folder.resolve("pgbouncer.ini");
        Files.writeString(settings, """
                [databases]
                postgres = host=127.0.0.1 port=%d dbname=postgres user=postgres
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = any
                pool_mode = %s
                default_pool_size = %d
                max_client_conn = 500
                ignore_startup_parameters = extra_float_digits
                """.formatted(postgres.port(), port, mode, sessions));
        List<String> command = new ArrayList<>();
        if (PrivatePostgres.isRoot()) {
            // PgBouncer refuses to run as root
            PrivatePostgres.ownedByNobody(folder);
            command.addAll(List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"));
        }
        command.addAll(List.of(program().orElseThrow().toString(), settings.toString()));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("pgbouncer.log").toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        PgBouncer bouncer = new PgBouncer(process, port);
        Faults.until("PgBouncer accepts connections", bouncer::accepts);
        return bouncer;
    }

    private boolean accepts() {
        if (!process.isAlive()) {
            throw new IllegalStateException("PgBouncer ended with " + process.exitValue() + ".");
        }
        try (Socket socket = new Socket("127.0.0.1", port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /** As an application would write it that knows nothing of poolers. */
    String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres&socketTimeout=60";
    }

    @Override
    public void close() {
        process.destroy();
        Faults.until("PgBouncer has ended", () -> !process.isAlive());
    }
}
