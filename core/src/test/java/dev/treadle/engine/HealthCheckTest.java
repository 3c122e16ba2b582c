package dev.treadle.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Await;
import dev.treadle.health.HealthProblem.Rule;
import dev.treadle.health.Verdict;
import dev.treadle.health.Verdict.Level;
import dev.treadle.storage.ScriptedStorage;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a check does while the storage does not answer, or not soon. */
class HealthCheckTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final AtomicInteger looks = new AtomicInteger();
    private volatile @Nullable Throwable failure;
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private final StorageProvider storage =
            ScriptedStorage.overAdmin(new InMemoryStorageProvider(), (call, arguments, real) -> {
                if (call.equals("minutes")) {
                    looks.incrementAndGet();
                    gate.await();
                    Throwable thrown = failure;
                    if (thrown != null) {
                        throw thrown;
                    }
                }
                return real.make();
            });
    private final HealthCheck check = HealthCheck.of(storage, LocalServer.none());

    @AfterEach
    void close() {
        gate.countDown();
        check.close();
    }

    @Test
    void a_storage_that_throws_is_a_verdict_with_its_cause_until_it_answers_again() {
        failure = new StorageException("cannot reach db.internal", new ConnectException("db.internal:5432"), true);
        Verdict first = check.verdict(LONG);
        assertEquals(Level.DOWN, first.level());
        assertTrue(first.sentence().endsWith(" No job can start. It said: ConnectException."), first.sentence());
        Await.until("the outage grows", () -> !check.verdict(LONG).sentence().contains(" for 0.0 s."));
        failure = null;
        assertEquals(Level.IDLE, check.verdict(LONG).level());
        failure = new NoClassDefFoundError("org/postgresql/Driver");
        assertTrue(check.verdict(LONG).sentence().contains("NoClassDefFoundError"));
    }

    @Test
    void a_storage_that_does_not_answer_is_a_verdict_after_the_callers_patience() {
        gate = new CountDownLatch(1);
        Verdict verdict = check.verdict(Duration.ofMillis(50));
        assertEquals(Rule.STORAGE_DOWN, verdict.problems().get(0).rule());
        assertTrue(verdict.sentence().endsWith("its answer is still awaited."), verdict.sentence());

        Await.pass(Duration.ofMillis(100));
        long asked = System.nanoTime();
        check.verdict(Duration.ofMillis(100));
        assertEquals(1, looks.get(), "the first look still waits, and nobody else need wait with it");
        Await.until(
                "the outage grows",
                () -> !check.verdict(Duration.ofMillis(1)).sentence().contains(" for 0."));
        assertTrue(System.nanoTime() - asked < LONG.toNanos());

        gate.countDown();
        Await.until("it is well again", () -> check.verdict(LONG).level() == Level.IDLE);
    }

    @Test
    void callers_at_the_same_time_share_a_look() throws InterruptedException, ExecutionException, TimeoutException {
        gate = new CountDownLatch(1);
        List<CompletableFuture<Verdict>> answers = new ArrayList<>();
        List<Thread> callers = new ArrayList<>();
        for (int n = 0; n < 20; n++) {
            CompletableFuture<Verdict> answer = new CompletableFuture<>();
            Thread caller = new Thread(() -> answer.complete(check.verdict(LONG)));
            caller.start();
            callers.add(caller);
            answers.add(answer);
        }
        Await.until(
                "all of them wait",
                () -> callers.stream().allMatch(caller -> caller.getState() == Thread.State.TIMED_WAITING));
        gate.countDown();
        for (CompletableFuture<Verdict> answer : answers) {
            assertEquals(
                    Level.IDLE,
                    answer.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS).level());
        }
        assertEquals(1, looks.get());
    }

    @Test
    void an_interrupted_caller_gets_a_verdict_and_stays_interrupted() {
        Thread.currentThread().interrupt();
        Verdict verdict = check.verdict(LONG);
        assertTrue(Thread.interrupted());
        assertEquals(Level.IDLE, verdict.level());
    }

    @Test
    void who_waits_when_it_is_closed_is_told_so() throws Exception {
        gate = new CountDownLatch(1);
        CompletableFuture<Verdict> waits = CompletableFuture.supplyAsync(() -> check.verdict(LONG));
        Await.until("the look is under way", () -> looks.get() == 1);
        check.close();
        assertEquals(
                "This Treadle is closed.",
                waits.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS).sentence());
    }

    @Test
    void a_storage_that_does_not_answer_dashboards_has_a_verdict_too() {
        StorageProvider plain =
                ScriptedStorage.over(new InMemoryStorageProvider(), (call, arguments, real) -> real.make());
        try (HealthCheck plainCheck = HealthCheck.of(plain, LocalServer.none())) {
            assertEquals(Level.IDLE, plainCheck.verdict(LONG).level());
        }
    }
}
