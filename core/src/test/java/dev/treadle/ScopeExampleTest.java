package dev.treadle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.api.JobScheduler;
import dev.treadle.job.Fork;
import dev.treadle.job.GiveUpException;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobScope;
import dev.treadle.job.SnoozeException;
import dev.treadle.job.StateName;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** The examples of docs/scope.md, and what a fork shares with its job. */
class ScopeExampleTest {
    private final InMemoryStorageProvider storage = new InMemoryStorageProvider();
    private final Map<String, Map<String, String>> logging = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable JobContext> kept = new AtomicReference<>();
    private final Treadle treadle = Treadle.on(storage)
            .settings(Work.QUICK)
            .resultHandler(HandleOrder.class, this::handle)
            .resultHandler(FetchAll.class, this::fetchAll)
            .handler(Odd.class, this::odd)
            .start();
    private final JobScheduler jobs = treadle.jobs();

    record HandleOrder(long id, int pieces) implements JobRequest<Handled> {}

    record Handled(int left, String total) {}

    private Handled handle(HandleOrder order, JobContext job) throws Exception {
        note("job");
        try (JobScope scope = job.scope()) {
            Fork<Integer> left = scope.fork("update-inventory", () -> updateInventory(order));
            Fork<String> total = scope.fork("update-order", () -> updateOrder(order));
            scope.join(); // both have succeeded, or this throws what the first threw that did not
            return new Handled(left.get(), total.get());
        }
    }

    private int updateInventory(HandleOrder order) {
        note("update-inventory");
        if (order.pieces() > 10) {
            throw new GiveUpException("only 10 are left", null);
        }
        return 10 - order.pieces();
    }

    private String updateOrder(HandleOrder order) {
        note("update-order");
        return order.pieces() * 5 + " EUR";
    }

    private void note(String where) {
        logging.put(where, Map.copyOf(MDC.getCopyOfContextMap()));
    }

    record FetchAll(List<String> pages) implements JobRequest<Integer> {}

    private Integer fetchAll(FetchAll all, JobContext job) throws Exception {
        List<Fork<Integer>> sizes = new ArrayList<>();
        try (JobScope scope = job.scope()) {
            for (String page : all.pages()) {
                sizes.add(scope.fork("fetch", () -> {
                    job.log("fetched " + page);
                    return page.length();
                }));
            }
            scope.join();
        }
        return sizes.stream().mapToInt(Fork::get).sum();
    }

    record Odd(String what) implements JobRequest<Void> {}

    @SuppressWarnings("try") // that a scope may be closed twice is what is looked at
    private @Nullable Void odd(Odd odd, JobContext job) throws Exception {
        kept.set(job);
        try (JobScope scope = job.scope()) {
            switch (odd.what()) {
                case "snooze" -> {
                    if (storage.queries()
                            .find(job.jobId())
                            .orElseThrow()
                            .history()
                            .isEmpty()) {
                        scope.fork("snoozes", () -> {
                            throw new SnoozeException(Duration.ZERO);
                        });
                    }
                }
                case "bad name" -> {
                    for (String bad : List.of("", " ", "a/b", "a\nb", "x".repeat(JobScope.NAME_CHARS_MAX + 1))) {
                        assertThrows(IllegalArgumentException.class, () -> scope.fork(bad, () -> {}));
                    }
                    scope.fork("x".repeat(JobScope.NAME_CHARS_MAX), () -> {});
                }
                case "not the owner" ->
                    scope.fork("fork", () -> {
                        assertThrows(IllegalStateException.class, () -> scope.fork("another", () -> {}));
                        assertThrows(IllegalStateException.class, scope::join);
                        assertThrows(IllegalStateException.class, scope::close);
                    });
                case "too many" -> {
                    for (int i = 0; i < JobScope.FORKS_MAX; i++) {
                        scope.fork("fork", () -> {});
                    }
                    assertThrows(IllegalStateException.class, () -> scope.fork("one more", () -> {}));
                }
                case "not ended" -> {
                    CountDownLatch mayEnd = new CountDownLatch(1);
                    Fork<Integer> fork = scope.fork("fork", () -> {
                        mayEnd.await();
                        return 1;
                    });
                    assertThrows(IllegalStateException.class, fork::get);
                    mayEnd.countDown();
                }
                case "error" ->
                    scope.fork("fork", () -> {
                        throw new AssertionError("an error");
                    });
                default -> throw new IllegalArgumentException(odd.what());
            }
            scope.join();
            scope.close();
            assertThrows(IllegalStateException.class, () -> scope.fork("closed", () -> {}));
        }
        return null;
    }

    @AfterEach
    void close() {
        treadle.close();
    }

    @Test
    void a_job_does_two_things_at_once_and_uses_what_both_gave() throws Exception {
        JobId id = jobs.enqueue(new HandleOrder(7, 3));

        assertEquals(Optional.of(new Handled(7, "15 EUR")), jobs.await(id, Handled.class, Await.LIMIT));
    }

    @Test
    void what_a_fork_throws_decides_about_the_attempt_as_if_the_job_had_thrown_it() {
        JobId id = jobs.enqueue(new HandleOrder(7, 11));

        Work.untilIn(StateName.FAILED, storage, id);
        assertEquals(List.of("THREW 1 FAILED"), Work.history(storage, id));

        JobId snoozed = jobs.enqueue(new Odd("snooze"));
        Work.untilIn(StateName.SUCCEEDED, storage, snoozed);
        assertEquals("SNOOZED 1 SCHEDULED", Work.history(storage, snoozed).get(0));
    }

    @Test
    void forks_log_under_their_job_and_by_their_name() throws Exception {
        JobId id = jobs.enqueue(new HandleOrder(7, 3));
        jobs.await(id, Handled.class, Await.LIMIT);

        Map<String, String> inventory = logging.get("update-inventory");
        assertEquals(id.toString(), inventory.get("treadle.job"));
        assertEquals("1", inventory.get("treadle.attempt"));
        assertEquals("update-inventory", inventory.get("treadle.fork"));
        assertEquals("update-order", logging.get("update-order").get("treadle.fork"));
        for (int i = 0; i < 20; i++) {
            jobs.await(jobs.enqueue(new HandleOrder(i, 3)), Handled.class, Await.LIMIT);
            assertNull(logging.get("job").get("treadle.fork"), "what forks left on threads of the pool");
        }
    }

    @Test
    void forks_tell_of_their_job_as_it_does_itself() throws Exception {
        JobId id = jobs.enqueue(new FetchAll(List.of("a", "bc", "def")));

        assertEquals(Optional.of(6), jobs.await(id, Integer.class, Await.LIMIT));
        assertEquals(3, jobs.notes(id).orElseThrow().log().size());
    }

    @Test
    void what_a_scope_is_not_meant_for_is_refused_where_it_is_done() {
        for (String what : List.of("bad name", "not the owner", "too many", "not ended")) {
            JobId id = jobs.enqueue(new Odd(what));
            Await.until(what + " has ended", () -> Work.state(storage, id).isFinal());
            assertEquals(List.of("COMPLETED 1 SUCCEEDED"), Work.history(storage, id), what);
        }
    }

    @Test
    void an_error_of_a_fork_is_thrown_as_it_is() {
        JobId id = jobs.enqueue(new Odd("error"));

        Await.until("it has failed once", () -> !Work.history(storage, id).isEmpty());
        assertEquals(
                AssertionError.class.getName(),
                Work.story(storage, id).history().get(0).why().type());
    }

    @Test
    void after_its_run_a_job_opens_no_scope() {
        JobId id = jobs.enqueue(new Odd("bad name"));
        Work.untilIn(StateName.SUCCEEDED, storage, id);

        IllegalStateException refused =
                assertThrows(IllegalStateException.class, () -> kept.get().scope());
        assertTrue(refused.getMessage().contains("has ended"), refused::getMessage);
        assertNull(MDC.get("treadle.fork"));
    }
}
