package dev.treadle.transactions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.Treadle;
import dev.treadle.api.JobOptions;
import dev.treadle.api.JobScheduler;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.KeyRule;
import dev.treadle.job.StateName;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.sql.KeyCounts;
import dev.treadle.storage.sql.OnePlace;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A transaction of the application holds a key until its end: only jobs of that key wait for it. */
@ParameterizedClass
@EnumSource(JoinedDatabase.class)
@Timeout(300)
class HeldKeyTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final KeyRule A = KeyRule.mailbox("a");
    private static final KeyRule B = KeyRule.mailbox("b");

    private final JoinedDatabase kind;
    private final HikariDataSource database;
    private final Queue<String> ran = new ConcurrentLinkedQueue<>();
    private final Map<String, CountDownLatch> mayEnd = new ConcurrentHashMap<>();
    private final Treadle treadle;
    private final JobScheduler jobs;

    record Work(String name) implements JobRequest<Void> {}

    HeldKeyTest(JoinedDatabase kind) {
        this.kind = kind;
        this.database = kind.open();
        this.treadle = Treadle.on(kind.storage(database))
                .handler(Work.class, (work, job) -> {
                    ran.add(work.name());
                    CountDownLatch latch = mayEnd.get(work.name());
                    if (latch != null) {
                        latch.await();
                    }
                })
                .start();
        this.jobs = treadle.jobs();
    }

    @AfterEach
    void close() throws Exception {
        mayEnd.values().forEach(CountDownLatch::countDown);
        treadle.close();
        List<String> violations = new ArrayList<>(OnePlace.violations(database));
        if (kind.isPostgres()) {
            violations.addAll(KeyCounts.violations(database));
        }
        database.close();
        assertEquals(List.of(), violations);
    }

    private JobScheduler with(KeyRule key) {
        return jobs.with(JobOptions.DEFAULT.withKey(key));
    }

    private JobId running(KeyRule key, String name) {
        mayEnd.put(name, new CountDownLatch(1));
        JobId id = with(key).enqueue(new Work(name));
        awaitRan(name);
        return id;
    }

    private void awaitRan(String name) {
        Awaitility.await().atMost(SOON).until(() -> ran.contains(name));
    }

    private void awaitSucceeded(JobId id) {
        Awaitility.await().atMost(SOON).until(() -> stateOf(id) == StateName.SUCCEEDED);
    }

    private StateName stateOf(JobId id) {
        return jobs.states(List.of(id)).get(id);
    }

    @Test
    void endings_and_enqueues_of_other_keys_go_on() throws Exception {
        JobId a1 = running(A, "a1");
        JobId b1 = running(B, "b1");
        Connection connection = JoinedDatabase.begin(database);
        boolean done = false;
        Future<JobId> a3;
        try {
            jobs.in(connection).with(JobOptions.DEFAULT.withKey(A)).enqueue(new Work("a2"));
            // its ending needs the key, and comes first into the batch of endings
            mayEnd.get("a1").countDown();
            a3 = CompletableFuture.supplyAsync(() -> with(A).enqueue(new Work("a3")));
            mayEnd.get("b1").countDown();

            awaitSucceeded(b1);
            awaitSucceeded(with(B).enqueue(new Work("b2")));
            awaitSucceeded(jobs.enqueue(new Work("plain")));
            assertEquals(StateName.PROCESSING, stateOf(a1), "its key is held, or nothing was shown");
            assertFalse(a3.isDone(), "its key is held, or nothing was shown");
            done = true;
        } finally {
            JoinedDatabase.end(connection, done);
        }

        awaitSucceeded(a1);
        awaitSucceeded(a3.get(SOON.toSeconds(), TimeUnit.SECONDS));
        assertEquals(
                List.of("a1", "a2", "a3"),
                ran.stream().filter(name -> name.startsWith("a")).toList());
    }

    @Test
    void two_who_take_the_same_keys_in_opposite_order_both_come_through_when_the_loser_repeats() throws Exception {
        CyclicBarrier bothHoldOne = new CyclicBarrier(2);
        List<StorageException> lost = new ArrayList<>();
        Future<Integer> forth = CompletableFuture.supplyAsync(() -> takeBoth(A, B, "forth", bothHoldOne, lost));
        Future<Integer> back = CompletableFuture.supplyAsync(() -> takeBoth(B, A, "back", bothHoldOne, lost));

        int tries = forth.get(120, TimeUnit.SECONDS) + back.get(120, TimeUnit.SECONDS);

        assertTrue(tries > 2, "no transaction lost, so nothing was shown");
        assertEquals(tries - 2, lost.size());
        for (StorageException one : lost) {
            assertTrue(one.isWorthRepeating(), one::getMessage);
            assertTrue(one.getMessage().contains("repeat the whole transaction"), one::getMessage);
        }
        for (String name : List.of("forth 1", "forth 2", "back 1", "back 2")) {
            awaitRan(name);
        }
        assertEquals(4, ran.size(), () -> "ran: " + ran);
        assertEquals(2, JoinedDatabase.number(database, "select count(*) from orders"));
    }

    /** Answers how many tries it took. */
    private int takeBoth(
            KeyRule first, KeyRule second, String name, CyclicBarrier bothHoldOne, List<StorageException> lost) {
        for (int tries = 1; ; tries++) {
            boolean firstTry = tries == 1;
            try {
                return tries
                        + jobs.transaction(database, connection -> {
                            JoinedDatabase.order(connection, name.hashCode());
                            with(first).enqueue(new Work(name + " 1"));
                            if (firstTry) {
                                bothHoldOne.await(60, TimeUnit.SECONDS);
                            }
                            with(second).enqueue(new Work(name + " 2"));
                            return 0;
                        });
            } catch (StorageException e) {
                synchronized (lost) {
                    lost.add(e);
                }
                assertTrue(tries < 20, () -> "lost again and again: " + e);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
