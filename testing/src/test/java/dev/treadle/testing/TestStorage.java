package dev.treadle.testing;

import dev.treadle.Treadle;
import dev.treadle.storage.admin.AdminStorage;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import dev.treadle.storage.sql.SqlStorageProvider;
import dev.treadle.storage.sql.SqlStorageSettings;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;
import java.util.function.Consumer;

/** Where the tests keep their jobs; each test gets one that is empty. */
enum TestStorage {
    MEMORY {
        @Override
        AdminStorage with(InstantSource time) {
            return new InMemoryStorageProvider(time);
        }
    },
    H2 {
        @Override
        AdminStorage with(InstantSource time) {
            return SqlStorageProvider.open(
                    "jdbc:h2:mem:" + fresh(), "sa", "", SqlStorageSettings.DEFAULT.withTime(time));
        }
    },
    POSTGRESQL {
        @Override
        AdminStorage with(InstantSource time) {
            SqlStorageSettings settings =
                    SqlStorageSettings.DEFAULT.withTime(time).withSchemaName(fresh());
            return SqlStorageProvider.open(postgresUrl(), "postgres", "", settings);
        }
    };

    /** Usual are ten seconds, which is little on a slow machine. */
    private static final Duration STARTUP_MAX = Duration.ofMinutes(2);

    abstract AdminStorage with(InstantSource time);

    TreadleTest test(Consumer<Treadle.Builder> configure) {
        return TreadleTest.on(this::with, configure);
    }

    private static String fresh() {
        return "t" + UUID.randomUUID().toString().replace("-", "");
    }

    static String postgresUrl() {
        return Postgres.SERVER.getJdbcUrl("postgres", "postgres");
    }

    private static final class Postgres {
        static final EmbeddedPostgres SERVER = start();

        private static EmbeddedPostgres start() {
            try {
                return EmbeddedPostgres.builder().setPGStartupWait(STARTUP_MAX).start();
            } catch (IOException e) {
                throw new UncheckedIOException("cannot start the embedded PostgreSQL", e);
            }
        }
    }
}
