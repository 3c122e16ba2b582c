package dev.treadle.storage.sql.postgresql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.job.Due;
import dev.treadle.job.Failure;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;
import dev.treadle.lifecycle.AttemptEnd;
import dev.treadle.lifecycle.Lease;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.PendingWork;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.sql.SqlStorageProvider;
import dev.treadle.storage.sql.TestDatabases;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The claim's lower bound never hides a due job for longer than it says, while the queue never runs empty. */
class ClaimBoundTest {
    private static final NodeId NODE = new NodeId(1);
    private static final Lane MAIL = new Lane("mail", Set.of());
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final HikariDataSource database = TestDatabases.postgres();
    private StorageProvider storage;
    private long made;

    @BeforeEach
    void open() {
        storage = SqlStorageProvider.using(database);
        TestDatabases.empty(database);
        keep(400);
    }

    @Test
    void a_job_that_commits_late_with_an_earlier_time_is_claimed() throws Exception {
        JobId late = JobId.of(new UUID(1, 1));
        try (Connection slow = database.getConnection()) {
            slow.setAutoCommit(false);
            insertDueNow(slow, late);
            keep(100);
            claimUntilBeyond(450);
            slow.commit();
            slow.setAutoCommit(true);
        }

        claimWithoutRunningEmptyUntil(lease -> lease.job().id().equals(late));
    }

    @Test
    void a_job_of_higher_priority_that_another_process_enqueues_is_claimed() {
        claimUntilBeyond(100);
        StorageProvider elsewhere = SqlStorageProvider.using(database);
        JobId urgent = JobId.of(new UUID(1, 2));
        elsewhere.insert(List.of(new NewJob(urgent, call(), Due.NOW, JobTraits.DEFAULT.withPriority(-5))));

        claimWithoutRunningEmptyUntil(lease -> lease.job().id().equals(urgent));
    }

    @Test
    void a_retry_that_another_process_promotes_is_claimed() {
        Lease failed = storage.claim(NODE, 1).get(0);
        storage.record(
                List.of(AttemptEnd.retried(failed, Duration.ZERO, Failure.because("x", "y"), Duration.ofMillis(1))));
        claimUntilBeyond(100);
        keep(100);
        claimUntilBeyond(300);
        StorageProvider elsewhere = SqlStorageProvider.using(database);
        while (elsewhere.promote(10).moved() == 0) {
            claimWithoutRunningEmptyUntil(lease -> true);
        }

        claimWithoutRunningEmptyUntil(
                lease -> lease.job().id().equals(failed.job().id()));
    }

    @Test
    void each_lane_has_a_bound_of_its_own_and_the_heads_begin_there() {
        claimUntilBeyond(100);
        JobId early = JobId.of(new UUID(1, 3));
        storage.insert(List.of(new NewJob(
                early,
                call(),
                new Due.At(Instant.parse("2001-01-01T00:00:00Z")),
                JobTraits.DEFAULT.withQueue("mail"))));

        assertEquals(List.of(early), idsOf(storage.claim(NODE, MAIL, 1)), "hidden by the bound of another lane");
        assertEquals(
                List.of(Lane.DEFAULT),
                storage.heads().stream().map(PendingWork.Head::lane).toList());
    }

    @Test
    void a_job_that_another_process_puts_before_the_bound_of_its_lane_is_among_the_heads_at_once() {
        StorageProvider elsewhere = SqlStorageProvider.using(database);
        for (int i = 0; i < 20; i++) {
            elsewhere.insert(List.of(mail(0)));
        }
        assertEquals(20, storage.claim(NODE, MAIL, 20).size());

        elsewhere.insert(List.of(mail(-5)));

        assertTrue(storage.heads().stream().anyMatch(head -> head.lane().equals(MAIL) && head.priority() == -5));
    }

    private NewJob mail(int priority) {
        return new NewJob(
                JobId.of(new UUID(3, ++made)),
                call(),
                Due.NOW,
                JobTraits.DEFAULT.withQueue("mail").withPriority(priority));
    }

    private static List<JobId> idsOf(List<Lease> leases) {
        return leases.stream().map(lease -> lease.job().id()).toList();
    }

    /** Takes so many, so that the bound stands behind them. */
    private void claimUntilBeyond(int count) {
        for (int taken = 0; taken < count; taken += 10) {
            assertEquals(10, storage.claim(NODE, 10).size(), "the queue ran empty, so the bound was not in play");
        }
    }

    private void claimWithoutRunningEmptyUntil(Predicate<Lease> found) {
        long began = System.nanoTime();
        while (System.nanoTime() - began < PATIENCE.toNanos()) {
            keep(20);
            List<Lease> taken = storage.claim(NODE, 20);
            assertEquals(20, taken.size(), "the queue ran empty, so the bound was not in play");
            if (taken.stream().anyMatch(found)) {
                return;
            }
        }
        fail("hidden for " + PATIENCE);
    }

    private void insertDueNow(Connection connection, JobId id) throws Exception {
        try (PreparedStatement body = connection.prepareStatement(
                        "insert into treadle_job values (?, now(), 'a.B', null, '[]', 0, null)");
                PreparedStatement ready =
                        connection.prepareStatement("insert into treadle_ready values (0, now(), ?, 0)")) {
            body.setObject(1, id.value());
            body.executeUpdate();
            ready.setObject(1, id.value());
            ready.executeUpdate();
        }
    }

    private void keep(int count) {
        List<NewJob> jobs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            jobs.add(new NewJob(JobId.of(new UUID(2, ++made)), call(), Due.NOW, JobTraits.DEFAULT));
        }
        storage.insert(jobs);
    }

    private static Invocation call() {
        return new Invocation("a.B", null, "{}");
    }
}
