package dev.treadle.gates;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.Treadle;
import dev.treadle.job.JobId;
import dev.treadle.job.JobStory;
import dev.treadle.job.StateName;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import dev.treadle.storage.sql.Dialect;
import dev.treadle.storage.sql.EmptyDatabases;
import dev.treadle.storage.sql.SqlStorageProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** Jobs that wait for jobs, in memory and in databases. */
abstract class GateFixture {
    static final JobServerSettings QUICK = JobServerSettings.DEFAULT
            .withWorkers(4)
            .withPollMax(Duration.ofMillis(100))
            .withDeadAfter(Duration.ofSeconds(6));

    enum Kind {
        MEMORY,
        H2,
        POSTGRESQL
    }

    final @Nullable HikariDataSource database;
    private final StorageProvider memory = new InMemoryStorageProvider();
    private final List<AutoCloseable> open = new ArrayList<>();

    GateFixture(Kind kind) {
        this.database = kind == Kind.MEMORY ? null : EmptyDatabases.of(Dialect.valueOf(kind.name()));
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
        if (database != null) {
            database.close();
        }
    }

    final Treadle.Builder builder() {
        return Treadle.on(database == null ? memory : SqlStorageProvider.using(database))
                .settings(QUICK);
    }

    final Treadle opened(Treadle treadle) {
        open.add(0, treadle);
        return treadle;
    }

    static JobStory story(Treadle treadle, JobId id) {
        return treadle.jobs().find(id).orElseThrow();
    }

    static void awaitState(Treadle treadle, JobId id, StateName state) {
        Awaitility.await(state.name())
                .atMost(Duration.ofSeconds(60))
                .until(() -> story(treadle, id).job().state().name() == state);
    }
}
