package dev.treadle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.executor.JobRunrExecutor;
import dev.treadle.executor.PublishedPoolExecutor;
import dev.treadle.executor.PublishedThreadPerTaskExecutor;
import dev.treadle.executor.ScheduledThreadPoolJobRunrExecutor;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.StateName;
import dev.treadle.storage.ScriptedStorage;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which executor lends the threads, and what becomes of jobs that it refuses. */
class ExecutorChoiceTest {
    private final StorageProvider memory = new InMemoryStorageProvider();
    private final AtomicInteger claims = new AtomicInteger();
    private final StorageProvider storage = ScriptedStorage.over(memory, (call, arguments, real) -> {
        if (call.equals("claim")) {
            claims.incrementAndGet();
        }
        return real.make();
    });
    private final Queue<String> threads = new ConcurrentLinkedQueue<>();

    record Run(int number) implements JobRequest<Void> {}

    private Treadle.Builder builder() {
        return Treadle.on(storage).settings(Work.QUICK).handler(Run.class, (run, context) -> {
            threads.add(Thread.currentThread().getName());
        });
    }

    @Test
    void without_a_choice_the_pool_does_the_work() {
        assertEquals("pool", executorOf(builder()));
    }

    @Test
    void an_executor_may_be_chosen_by_name() {
        assertEquals("pool", executorOf(builder().executor("pool")));
    }

    @Test
    void a_name_nobody_has_is_refused_at_the_start() {
        String message = assertThrows(
                        IllegalArgumentException.class,
                        () -> builder().executor("quantum").start())
                .getMessage();

        assertTrue(message.contains("'quantum'") && message.contains("Found: pool"), message);
    }

    @Test
    void an_executor_may_be_given_as_an_instance() {
        assertEquals("pool", executorOf(builder().executor(new ScheduledThreadPoolJobRunrExecutor())));
    }

    @Test
    void executors_written_to_the_three_published_methods_will_do() {
        assertEquals("PublishedPoolExecutor", executorOf(builder().executor(new PublishedPoolExecutor())));
        assertEquals(
                "PublishedThreadPerTaskExecutor", executorOf(builder().executor(new PublishedThreadPerTaskExecutor())));
    }

    @Test
    void an_executor_that_refuses_every_task_loses_no_job_and_burns_no_attempt() {
        List<JobId> ids;
        try (Treadle treadle = builder().executor(new Refusing()).start()) {
            ids = treadle.jobs().enqueueAll(IntStream.range(0, 3).mapToObj(Run::new));
            Await.until("jobs have been claimed a few times", () -> claims.get() >= 3);
        }

        for (JobId id : ids) {
            assertEquals(StateName.ENQUEUED, Work.state(memory, id));
            assertEquals(0, Work.story(memory, id).job().attempt());
            assertEquals(List.of(), Work.history(memory, id));
        }
    }

    @Test
    void refusals_do_not_make_the_server_spin_even_with_more_jobs_than_it_can_claim() {
        Duration watched = Duration.ofSeconds(1);
        try (Treadle treadle = builder().executor(new Refusing()).start()) {
            treadle.jobs().enqueueAll(IntStream.range(0, 200).mapToObj(Run::new));
            int before = claims.get();
            long began = System.nanoTime();
            Await.pass(watched);
            int made = claims.get() - before;

            // as long as it really took: a machine that is busy may let much more than a second pass
            long polls = Duration.ofNanos(System.nanoTime() - began).dividedBy(Work.QUICK.pollMax());
            assertTrue(made <= 2 * polls, () -> made + " claims, and " + polls + " rests fit into that time");
        }
        assertEquals(List.of(), List.copyOf(threads));
    }

    @Test
    void a_server_whose_executor_recovers_goes_on() {
        Refusing executor = new Refusing();
        try (Treadle treadle = builder().executor(executor).start()) {
            List<JobId> ids = treadle.jobs().enqueueAll(IntStream.range(0, 20).mapToObj(Run::new));
            Await.until("some have been refused", () -> executor.refused.get() >= 3);

            executor.refuses = false;

            Work.untilSucceeded(memory, ids);
            ids.forEach(id -> assertEquals(List.of("COMPLETED 1 SUCCEEDED"), Work.history(memory, id)));
        }
    }

    private String executorOf(Treadle.Builder builder) {
        try (Treadle treadle = builder.start()) {
            String caller = Thread.currentThread().getName();
            Work.untilSucceeded(memory, List.of(treadle.jobs().enqueue(new Run(1))));

            assertTrue(!threads.contains(caller), () -> "ran on " + threads);
            return treadle.server().orElseThrow().self().executor();
        }
    }

    private static final class Refusing implements JobRunrExecutor {
        final AtomicInteger refused = new AtomicInteger();
        volatile boolean refuses = true;

        @Override
        public Integer getPriority() {
            return 1;
        }

        @Override
        public void start() {}

        @Override
        public void stop() {}

        @Override
        public void execute(Runnable task) {
            if (refuses) {
                refused.incrementAndGet();
                throw new RejectedExecutionException("on purpose");
            }
            new Thread(task, "recovered").start();
        }
    }
}
