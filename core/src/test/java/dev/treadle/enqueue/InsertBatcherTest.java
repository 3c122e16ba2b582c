package dev.treadle.enqueue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Await;
import dev.treadle.job.Due;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InsertBatcherTest {
    private static final int CALLERS = 64;

    private final InMemoryStorageProvider memory = new InMemoryStorageProvider();
    private final IdSource ids = new IdSource(Clock.systemUTC(), new SplittableRandom(1));
    private final AtomicInteger commits = new AtomicInteger();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final ExecutorService callers = Executors.newFixedThreadPool(CALLERS, task -> {
        Thread thread = new Thread(task);
        threads.add(thread);
        return thread;
    });

    @AfterEach
    void stop() {
        callers.shutdownNow();
    }

    @Test
    void one_caller_commits_at_once() {
        InsertBatcher batcher = new InsertBatcher(before(batch -> {})::insert);
        NewJob job = job("a");

        batcher.insert(job);

        assertEquals(1, commits.get());
        assertTrue(memory.queries().find(job.id()).isPresent());
    }

    @Test
    void callers_that_come_while_a_commit_is_under_way_share_the_next_one() throws Exception {
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        InsertBatcher batcher = batcher(before(batch -> {
            first.countDown();
            await(goOn);
        }));
        List<Future<NewJob>> all = new ArrayList<>(List.of(insert(batcher, job("first"))));
        await(first);
        for (int i = 1; i < CALLERS; i++) {
            all.add(insert(batcher, job("later")));
        }
        Await.until("all others wait", () -> threads.stream().allMatch(InsertBatcherTest::waits));
        goOn.countDown();

        for (Future<NewJob> one : all) {
            assertTrue(memory.queries().find(one.get(20, TimeUnit.SECONDS).id()).isPresent());
        }
        assertTrue(commits.get() < CALLERS / 4, () -> commits.get() + " commits for " + CALLERS + " callers");
    }

    @Test
    void a_job_that_cannot_be_stored_fails_alone() throws Exception {
        InsertBatcher batcher = batcher(before(batch -> {
            if (batch.stream().anyMatch(job -> job.invocation().type().equals("bad"))) {
                throw new StorageException("cannot be stored", null, false);
            }
        }));
        List<Future<NewJob>> good = new ArrayList<>();
        List<Future<NewJob>> bad = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            (i % 8 == 0 ? bad : good).add(insert(batcher, job(i % 8 == 0 ? "bad" : "good")));
        }

        for (Future<NewJob> one : good) {
            assertTrue(memory.queries().find(one.get(20, TimeUnit.SECONDS).id()).isPresent());
        }
        for (Future<NewJob> one : bad) {
            Exception thrown = assertThrows(Exception.class, () -> one.get(20, TimeUnit.SECONDS));
            assertTrue(thrown.getCause() instanceof StorageException, thrown::toString);
        }
    }

    @Test
    void when_the_storage_is_away_every_caller_is_told_and_the_next_one_succeeds() throws Exception {
        AtomicInteger away = new AtomicInteger(3);
        InsertBatcher batcher = batcher(before(batch -> {
            if (away.getAndDecrement() > 0) {
                throw new StorageException("away", null, true);
            }
        }));
        for (int i = 0; i < 3; i++) {
            assertThrows(StorageException.class, () -> batcher.insert(job("lost")));
        }

        NewJob kept = job("kept");
        batcher.insert(kept);

        assertTrue(memory.queries().find(kept.id()).isPresent());
    }

    @Test
    void an_interrupted_caller_still_learns_that_its_job_was_kept_and_stays_interrupted() throws Exception {
        InsertBatcher batcher = new InsertBatcher(before(batch -> {})::insert);
        JobId kept = callers.submit(() -> {
                    Thread.currentThread().interrupt();
                    NewJob job = job("kept");
                    batcher.insert(job);
                    assertTrue(Thread.interrupted());
                    return job.id();
                })
                .get(20, TimeUnit.SECONDS);

        assertTrue(memory.queries().find(kept).isPresent());
    }

    @Test
    void the_interrupt_of_the_caller_that_commits_for_others_fails_neither_them_nor_its_own_job() throws Exception {
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        InsertBatcher batcher = batcher(before(batch -> {
            if (batch.get(0).invocation().type().equals("first")) {
                first.countDown();
                await(goOn);
            } else if (commits.get() == 2) {
                // as a virtual thread's socket, which is closed when the thread is interrupted
                Thread.currentThread().interrupt();
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new StorageException("the connection was closed by an interrupt", null, true);
            }
        }));
        List<Future<NewJob>> all = new ArrayList<>(List.of(insert(batcher, job("first"))));
        await(first);
        AtomicInteger stillInterrupted = new AtomicInteger();
        for (int i = 1; i < CALLERS; i++) {
            all.add(callers.submit(() -> {
                NewJob job = job("later");
                batcher.insert(job);
                stillInterrupted.addAndGet(Thread.interrupted() ? 1 : 0);
                return job;
            }));
        }
        Await.until("all others wait", () -> threads.stream().allMatch(InsertBatcherTest::waits));
        goOn.countDown();

        for (Future<NewJob> one : all) {
            assertTrue(memory.queries().find(one.get(20, TimeUnit.SECONDS).id()).isPresent());
        }
        assertEquals(1, stillInterrupted.get(), "whoever was interrupted stays so");
    }

    @Test
    void a_caller_that_was_interrupted_before_commits_without_it() throws Exception {
        InsertBatcher batcher = batcher(before(batch -> {
            if (Thread.currentThread().isInterrupted()) {
                throw new StorageException("interrupted during connection acquisition", null, true);
            }
        }));

        assertTrue(callers.submit(() -> {
                    Thread.currentThread().interrupt();
                    batcher.insert(job("kept"));
                    return Thread.interrupted();
                })
                .get(20, TimeUnit.SECONDS));
        assertEquals(1, commits.get());
    }

    @Test
    void no_caller_believes_that_its_job_is_there_when_memory_runs_out_while_another_is_looked_for() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        InsertBatcher batcher = batcher(before(batch -> {
            if (calls.incrementAndGet() > 1) {
                throw new OutOfMemoryError("there is none for a moment");
            }
        }));
        batcher.insert(job("kept"));

        for (int i = 0; i < 2; i++) {
            assertThrows(StorageException.class, () -> batcher.insert(job("lost")));
        }
        assertEquals(
                1,
                memory.search().counts().values().stream()
                        .mapToLong(Long::longValue)
                        .sum());
    }

    private static boolean waits(Thread caller) {
        return Arrays.stream(caller.getStackTrace())
                .anyMatch(frame -> frame.getClassName().startsWith(InsertBatcher.class.getName() + "$")
                                && frame.getMethodName().equals("await")
                        || frame.getMethodName().equals("commit"));
    }

    private Future<NewJob> insert(InsertBatcher batcher, NewJob job) {
        return callers.submit(() -> {
            batcher.insert(job);
            return job;
        });
    }

    private static InsertBatcher batcher(StorageProvider storage) {
        return new InsertBatcher(storage::insert);
    }

    private NewJob job(String type) {
        synchronized (ids) {
            return new NewJob(ids.nextJobId(), new Invocation(type, null, "{}"), Due.NOW, JobTraits.DEFAULT);
        }
    }

    /** The in-memory storage, with something happening before each insert. */
    @SuppressWarnings("unchecked")
    private StorageProvider before(Consumer<List<NewJob>> happens) {
        return (StorageProvider) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {StorageProvider.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("insert")) {
                        commits.incrementAndGet();
                        happens.accept((List<NewJob>) arguments[0]);
                    }
                    try {
                        return method.invoke(memory, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(20, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
