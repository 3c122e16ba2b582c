package dev.treadle.transactions;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.Treadle;
import dev.treadle.api.JobScheduler;
import dev.treadle.job.JobRequest;
import org.junit.jupiter.api.AfterEach;

/** A database with the application's table, and a Treadle on it that runs no jobs. */
abstract class JoinedFixture {
    final JoinedDatabase kind;
    final HikariDataSource database;
    final Treadle treadle;
    final JobScheduler jobs;

    record Mail(String to) implements JobRequest<Void> {}

    JoinedFixture(JoinedDatabase kind) {
        this.kind = kind;
        this.database = kind.open();
        this.treadle = Treadle.on(kind.storage(database))
                .handler(Mail.class, (mail, job) -> {})
                .enqueueOnly();
        this.jobs = treadle.jobs();
    }

    @AfterEach
    final void close() {
        treadle.close();
        database.close();
    }
}
