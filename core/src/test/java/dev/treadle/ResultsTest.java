package dev.treadle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.GiveUpException;
import dev.treadle.job.JobId;
import dev.treadle.job.JobNotSucceededException;
import dev.treadle.job.JobRequest;
import dev.treadle.job.ResultNotKeptException;
import dev.treadle.job.StateName;
import dev.treadle.storage.ScriptedStorage;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.admin.AdminStorage;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDate;
import java.util.Collections;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What jobs return, read later or waited for. */
class ResultsTest {
    private final AdminStorage storage = new InMemoryStorageProvider();
    private final AtomicInteger looks = new AtomicInteger();
    private final Treadle treadle = start(storage);

    record Add(int a, int b) implements JobRequest<Sum> {}

    record Sum(int value, List<String> how) {}

    record Text(int length) implements JobRequest<String> {}

    record Odd(String what) implements JobRequest<Object> {}

    record Bill(BigDecimal amount, LocalDate day) {}

    record Bills(int count) implements JobRequest<List<Bill>> {}

    record Price(String currency, Object amount) {}

    record Sell(BigDecimal amount) implements JobRequest<Price> {}

    /** Goes round in a circle. */
    public static final class Circle {
        public Circle getSelf() {
            return this;
        }
    }

    /** Called by method reference. */
    public static class Calculator {
        public int twice(int n) {
            return 2 * n;
        }
    }

    private static Treadle start(StorageProvider on) {
        return Treadle.on(on)
                .settings(Work.QUICK)
                .resultHandler(Add.class, (add, job) -> new Sum(add.a + add.b, List.of("+")))
                .resultHandler(Text.class, (text, job) -> "x".repeat(text.length))
                .resultHandler(Bills.class, (bills, job) -> Collections.nCopies(bills.count, BILL))
                .resultHandler(Sell.class, (sell, job) -> new Price("EUR", sell.amount))
                .resultHandler(Odd.class, (odd, job) -> switch (odd.what) {
                    case "circle" -> new Circle();
                    case "give up" -> throw new GiveUpException("no");
                    case "null" -> null;
                    default -> "?";
                })
                .resultBytesMax(100)
                .start();
    }

    private static final Bill BILL = new Bill(new BigDecimal("1.10"), LocalDate.EPOCH);

    @Test
    void a_result_is_kept_as_what_the_job_declares() throws Exception {
        JobId id = treadle.jobs().enqueue(new Bills(2));

        assertArrayEquals(
                new Bill[] {BILL, BILL},
                treadle.jobs().await(id, Bill[].class, Duration.ofSeconds(20)).orElseThrow());
    }

    @Test
    void a_result_that_would_be_read_as_another_is_left_out_with_its_place() {
        BigDecimal money = new BigDecimal("12345678901234567890.10");
        treadle.jobs().enqueue(new Sell(BigDecimal.ZERO));
        JobId id = treadle.jobs().enqueue(new Sell(money));

        ResultNotKeptException left = assertThrows(
                ResultNotKeptException.class, () -> treadle.jobs().await(id, Price.class, Duration.ofSeconds(20)));

        assertTrue(
                String.valueOf(left.getMessage())
                        .contains(
                                "amount is a java.math.BigDecimal (12345678901234567890.10), but reads back as a java.lang.Double"),
                left::getMessage);
        assertEquals(List.of("COMPLETED 1 SUCCEEDED"), Work.history(storage, id));
    }

    @AfterEach
    void close() {
        treadle.close();
    }

    @Test
    void a_result_is_awaited_and_read_again_later() throws Exception {
        JobId id = treadle.jobs().enqueue(new Add(1, 2));

        assertEquals(
                Optional.of(new Sum(3, List.of("+"))), treadle.jobs().await(id, Sum.class, Duration.ofSeconds(20)));
        assertEquals(Optional.of(new Sum(3, List.of("+"))), treadle.jobs().result(id, Sum.class));
    }

    @Test
    void what_a_method_returns_is_a_result_too() throws Exception {
        JobId id = treadle.jobs().<Calculator>enqueue(calculator -> calculator.twice(21));

        assertEquals(Optional.of(42), treadle.jobs().await(id, Integer.class, Duration.ofSeconds(20)));
    }

    @Test
    void a_job_that_returns_nothing_has_no_result() throws Exception {
        JobId id = treadle.jobs().enqueue(new Odd("null"));

        assertEquals(Optional.empty(), treadle.jobs().await(id, Object.class, Duration.ofSeconds(20)));
        assertEquals(Optional.empty(), treadle.jobs().result(id, Object.class));
    }

    @Test
    void a_result_that_is_too_large_or_no_data_is_left_out_and_the_job_has_succeeded_once() {
        for (JobId id :
                List.of(treadle.jobs().enqueue(new Text(99)), treadle.jobs().enqueue(new Odd("circle")))) {
            ResultNotKeptException left = assertThrows(
                    ResultNotKeptException.class, () -> treadle.jobs().await(id, String.class, Duration.ofSeconds(20)));
            assertTrue(String.valueOf(left.getMessage()).contains("eturn "), left::getMessage);
            assertThrows(ResultNotKeptException.class, () -> treadle.jobs().result(id, String.class));
            assertEquals(List.of("COMPLETED 1 SUCCEEDED"), Work.history(storage, id));
        }
    }

    @Test
    void the_largest_result_is_kept() throws Exception {
        JobId id = treadle.jobs().enqueue(new Text(98));

        assertEquals(Optional.of("x".repeat(98)), treadle.jobs().await(id, String.class, Duration.ofSeconds(20)));
    }

    @Test
    void waiting_for_a_job_that_fails_or_is_cancelled_says_so() throws Exception {
        JobId fails = treadle.jobs().enqueue(new Odd("give up"));
        JobNotSucceededException failed = assertThrows(
                JobNotSucceededException.class,
                () -> treadle.jobs().await(fails, Object.class, Duration.ofSeconds(20)));
        assertEquals(StateName.FAILED, failed.state());
        assertTrue(String.valueOf(failed.getMessage()).contains("no"), failed::getMessage);

        JobId later = treadle.jobs().schedule(Duration.ofHours(1), new Add(1, 2));
        CompletableFuture<Optional<Sum>> future = treadle.jobs().future(later, Sum.class);
        treadle.jobs().cancel(later, "anna", "not needed");
        ExecutionException cancelled = assertThrows(ExecutionException.class, () -> future.get(20, TimeUnit.SECONDS));
        assertEquals(
                StateName.CANCELLED,
                assertInstanceOf(JobNotSucceededException.class, cancelled.getCause())
                        .state());
        assertEquals(Optional.empty(), treadle.jobs().result(later, Sum.class));
    }

    @Test
    void waiting_ends_with_the_timeout_and_the_job_continues() {
        JobId later = treadle.jobs().schedule(Duration.ofHours(1), new Add(1, 2));

        assertThrows(TimeoutException.class, () -> treadle.jobs().await(later, Sum.class, Duration.ofMillis(30)));
        assertEquals(StateName.SCHEDULED, Work.state(storage, later));
    }

    @Test
    void a_job_that_is_not_there_is_not_waited_for() {
        assertThrows(
                NoSuchElementException.class,
                () -> treadle.jobs().await(JobId.parse("0-0-0-0-1"), Sum.class, Duration.ofSeconds(20)));
    }

    @Test
    void a_process_that_only_enqueues_waits_for_what_runs_elsewhere_many_jobs_in_one_look() throws Exception {
        CountDownLatch allAreAwaited = new CountDownLatch(1);
        StorageProvider counted = ScriptedStorage.over(storage, (call, arguments, real) -> {
            if (call.equals("runs")) {
                looks.incrementAndGet();
                // each that is awaited nudges: on some machines that would be a look for each
                assertTrue(allAreAwaited.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
            }
            return real.make();
        });
        try (Treadle web = Treadle.on(counted).enqueueOnly()) {
            List<CompletableFuture<Optional<Sum>>> futures = IntStream.range(0, 500)
                    .mapToObj(n -> web.jobs().future(web.jobs().enqueue(new Add(n, n)), Sum.class))
                    .toList();
            Await.until(
                    "all have ended",
                    () -> storage.search().counts().getOrDefault(StateName.SUCCEEDED, 0L) == futures.size());
            allAreAwaited.countDown();
            for (int n = 0; n < futures.size(); n++) {
                assertEquals(
                        2 * n,
                        futures.get(n).get(20, TimeUnit.SECONDS).orElseThrow().value());
            }
            assertTrue(looks.get() < 10, () -> "it looked " + looks + " times for 500 jobs");
        }
    }

    @Test
    void whoever_waits_is_told_when_treadle_closes() {
        JobId later = treadle.jobs().schedule(Duration.ofHours(1), new Add(1, 2));
        CompletableFuture<Optional<Sum>> future = treadle.jobs().future(later, Sum.class);

        treadle.close();

        ExecutionException thrown = assertThrows(ExecutionException.class, () -> future.get(20, TimeUnit.SECONDS));
        assertFalse(thrown.getCause() instanceof JobNotSucceededException);
    }
}
