package dev.treadle.faults;

import dev.treadle.postgres.PrivatePostgres;
import java.util.List;
import org.postgresql.ds.PGSimpleDataSource;

/** One PostgreSQL for all fault tests in this JVM, that can be stopped and started again. The end of the JVM removes it. */
final class RealPostgres {
    private static RealPostgres shared;

    private final PrivatePostgres server = PrivatePostgres.start("treadle-faults", "postgres", List.of());

    private RealPostgres() {}

    static synchronized RealPostgres shared() {
        if (shared == null) {
            shared = new RealPostgres();
        }
        return shared;
    }

    String url() {
        return server.url("postgres") + "?user=postgres&socketTimeout=60";
    }

    PGSimpleDataSource dataSource() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url());
        return source;
    }

    /** Returns when it accepts connections. */
    void start() {
        server.start();
    }

    /** @param mode fast or immediate */
    void stop(String mode) {
        server.stop(mode);
    }

    int port() {
        return server.port();
    }
}
