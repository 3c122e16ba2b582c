package dev.treadle.faults;

import dev.treadle.postgres.PrivatePostgres;
import dev.treadle.storage.sql.GivenDatabase;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * One PostgreSQL for all fault tests in this JVM, that can be stopped and started again. The end of the JVM removes it.
 * Where a {@link GivenDatabase} is named, it is that one, and cannot be stopped.
 */
final class RealPostgres {
    private static RealPostgres shared;

    private final @Nullable PrivatePostgres own;
    private final String url;

    private RealPostgres() {
        Optional<String> given = GivenDatabase.url("jdbc:postgresql:");
        own = given.isPresent() ? null : PrivatePostgres.start("treadle-faults", "postgres", List.of());
        url = given.orElseGet(() -> server().url("postgres") + "?user=postgres&") + "socketTimeout=60";
    }

    private PrivatePostgres server() {
        return Objects.requireNonNull(own, "a given database cannot be stopped and started");
    }

    static synchronized RealPostgres shared() {
        if (shared == null) {
            shared = new RealPostgres();
        }
        return shared;
    }

    String url() {
        return url;
    }

    PGSimpleDataSource dataSource() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url());
        return source;
    }

    /** Returns when it accepts connections. */
    void start() {
        server().start();
    }

    /** @param mode fast or immediate */
    void stop(String mode) {
        server().stop(mode);
    }

    int port() {
        return server().port();
    }
}
