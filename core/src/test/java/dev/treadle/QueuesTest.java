package dev.treadle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.api.JobOptions;
import dev.treadle.executor.PublishedThreadPerTaskExecutor;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.QueueState;
import dev.treadle.job.QueueState.Pause;
import dev.treadle.job.StateName;
import dev.treadle.server.JobServerSettings;
import dev.treadle.server.QueueSettings;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Queues, pauses and tags as a user meets them; docs/queues.md shows the same. */
class QueuesTest {
    private static final JobOptions MAIL = JobOptions.DEFAULT.withQueue("mail");

    /** How far the storage's clock is ahead of ours. */
    private final AtomicReference<Duration> later = new AtomicReference<>(Duration.ZERO);

    private final StorageProvider storage =
            new InMemoryStorageProvider(() -> Instant.now().plus(later.get()));
    private final List<Treadle> open = new CopyOnWriteArrayList<>();
    private final List<String> ran = new CopyOnWriteArrayList<>();
    private final Map<String, String> threads = new ConcurrentHashMap<>();
    private final CountDownLatch gate = new CountDownLatch(1);

    record Do(String what) implements JobRequest<Void> {}

    private Treadle.Builder builder(String node, JobServerSettings settings) {
        return Treadle.on(storage).settings(settings).handler(Do.class, (task, job) -> {
            ran.add(node + " " + task.what());
            threads.put(task.what(), Thread.currentThread().getName());
            if (task.what().startsWith("wait")) {
                assertTrue(gate.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
            } else if (task.what().startsWith("short")) {
                Thread.sleep(2);
            }
        });
    }

    private Treadle start(JobServerSettings settings) {
        return opened(builder("a", settings).start());
    }

    private Treadle opened(Treadle treadle) {
        open.add(treadle);
        return treadle;
    }

    @AfterEach
    void close() {
        gate.countDown();
        open.forEach(Treadle::close);
    }

    @Test
    void a_queue_has_its_own_limit_on_a_node_and_is_in_no_other_queues_way() {
        Treadle treadle = start(Work.QUICK.withQueues(QueueSettings.of("mail").withConcurrency(2)));

        List<JobId> mails =
                treadle.jobs().with(MAIL).enqueueAll(IntStream.range(0, 20).mapToObj(n -> new Do("wait " + n)));
        List<JobId> others = treadle.jobs().enqueueAll(IntStream.range(0, 200).mapToObj(n -> new Do("other " + n)));

        Work.untilSucceeded(storage, others);
        Await.until("two mails run", () -> running("wait") == 2);
        Await.pass(Duration.ofMillis(100));
        assertEquals(2, running("wait"), "and no more than two");

        gate.countDown();
        Work.untilSucceeded(storage, mails);
    }

    private long running(String what) {
        return ran.stream().filter(one -> one.contains(what)).count();
    }

    @Test
    void queues_share_a_node_by_weight_and_none_starves() {
        Treadle web = opened(builder("web", Work.QUICK).enqueueOnly());
        List<JobId> all = new ArrayList<>();
        for (String queue : List.of("slow", "fast")) {
            all.addAll(web.jobs()
                    .with(JobOptions.DEFAULT.withQueue(queue))
                    .enqueueAll(IntStream.range(0, 300).mapToObj(n -> new Do("short " + queue))));
        }

        start(Work.QUICK.withWorkers(1).withQueues(QueueSettings.of("fast").withWeight(3)));
        Work.untilSucceeded(storage, all);

        // why not no-ops: they would be over before the next claim comes, and shares are those of what has been claimed
        List<String> early = ran.subList(0, 200);
        int slow = Collections.frequency(early, "a short slow");
        assertTrue(slow >= 25 && slow <= 75, () -> "one in four of 200, more or less: " + slow);
    }

    @Test
    void a_paused_queue_starts_nothing_until_it_is_resumed_and_tells_who_paused_it_and_why() {
        Treadle treadle = start(Work.QUICK);
        treadle.queues().pause("mail", "ann", "the mail server is down");
        JobId other = treadle.jobs().enqueue(new Do("other"));
        JobId mail = treadle.jobs().with(MAIL).enqueue(new Do("mail"));

        Work.untilIn(StateName.SUCCEEDED, storage, other);
        Await.pass(Duration.ofMillis(200));
        assertEquals(StateName.ENQUEUED, Work.state(storage, mail));
        QueueState state = treadle.queues().list().get(1);
        assertEquals("mail", state.queue());
        assertEquals(1, state.waiting());
        Pause pause = state.pause();
        assertNotNull(pause);
        assertEquals("ann", pause.by());
        assertEquals("the mail server is down", pause.why());

        assertTrue(treadle.queues().resume("mail", "ann"));
        Work.untilIn(StateName.SUCCEEDED, storage, mail);
        assertFalse(treadle.queues().resume("mail", "ann"));
        assertNull(treadle.queues().list().get(1).pause());
    }

    @Test
    void the_only_queue_can_be_paused_too_and_a_pause_may_end_by_itself() {
        Treadle treadle = start(Work.QUICK);
        treadle.queues().pause("default", "ann", null, Duration.ofHours(1));
        Await.until("the pause is seen", () -> isPausedFor(treadle));
        JobId job = treadle.jobs().enqueue(new Do("after the pause"));

        Await.pass(Duration.ofMillis(100));
        assertEquals(StateName.ENQUEUED, Work.state(storage, job));
        later.set(Duration.ofHours(1));
        Work.untilIn(StateName.SUCCEEDED, storage, job);
        assertThrows(
                IllegalArgumentException.class, () -> treadle.queues().pause("default", "ann", null, Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> treadle.queues().pause(" ", "ann", null));
    }

    private static boolean isPausedFor(Treadle treadle) {
        return treadle.queues().list().get(0).pause() != null;
    }

    @Test
    void jobs_claimed_ahead_go_back_when_their_queue_is_paused() {
        Treadle treadle = start(Work.QUICK.withWorkers(1));
        List<JobId> jobs = treadle.jobs().enqueueAll(IntStream.range(0, 50).mapToObj(n -> new Do("quick " + n)));
        Work.untilSucceeded(storage, jobs);
        JobId running = treadle.jobs().enqueue(new Do("wait"));
        List<JobId> behind = treadle.jobs().enqueueAll(IntStream.range(0, 5).mapToObj(n -> new Do("behind " + n)));
        Work.untilIn(StateName.PROCESSING, storage, running);

        treadle.queues().pause("default", "ann", null);
        untilAllAreBack(behind);
        gate.countDown();

        Work.untilIn(StateName.SUCCEEDED, storage, running);
        // once more: a claim that was under way when the queue was paused may have come after the first look
        untilAllAreBack(behind);
        assertEquals(0, running("behind"));
        assertEquals(0, Work.story(storage, behind.get(0)).job().attempt());
        treadle.queues().resume("default", "ann");
        Work.untilSucceeded(storage, behind);
    }

    private void untilAllAreBack(List<JobId> jobs) {
        Await.until(
                "all of them are back",
                () -> storage.queries().states(jobs).values().stream().allMatch(StateName.ENQUEUED::equals));
    }

    @Test
    void a_queue_may_be_bound_to_an_executor_by_name_with_workers_of_its_own() {
        Treadle treadle = opened(builder(
                        "a",
                        Work.QUICK
                                .withWorkers(1)
                                .withQueues(QueueSettings.of("sums").withExecutor("pool")))
                .executor(new PublishedThreadPerTaskExecutor())
                .start());
        JobId blocks = treadle.jobs().enqueue(new Do("wait"));
        Await.until("it has a thread", () -> threads.containsKey("wait"));
        assertEquals(StateName.PROCESSING, Work.state(storage, blocks));

        JobId sum = treadle.jobs().with(JobOptions.DEFAULT.withQueue("sums")).enqueue(new Do("sum"));

        Work.untilIn(StateName.SUCCEEDED, storage, sum);
        assertTrue(threads.get("sum").contains("pool"), () -> threads.get("sum"));
        assertFalse(threads.get("wait").contains("pool"), () -> threads.get("wait"));
        String executors = treadle.server().orElseThrow().self().executor();
        assertEquals("PublishedThreadPerTaskExecutor, pool", executors);
    }

    @Test
    void a_queue_bound_to_an_executor_that_is_not_there_is_refused_at_the_start() {
        Treadle.Builder builder =
                builder("a", Work.QUICK.withQueues(QueueSettings.of("sums").withExecutor("quantum")));

        String message =
                assertThrows(IllegalArgumentException.class, builder::start).getMessage();

        assertTrue(message.contains("'quantum'") && message.contains("Found: pool"), message);
    }

    @Test
    void a_job_with_tags_runs_only_on_a_node_that_has_them_all() {
        opened(builder("plain", Work.QUICK).start());
        Treadle gpu = opened(builder("gpu", Work.QUICK.withTags("gpu", "eu")).start());
        List<JobId> jobs = new ArrayList<>();
        for (int n = 0; n < 20; n++) {
            jobs.add(gpu.jobs().with(JobOptions.DEFAULT.withTags("gpu")).enqueue(new Do("render")));
            jobs.add(open.get(0)
                    .jobs()
                    .with(JobOptions.DEFAULT.withTags("eu", "gpu"))
                    .enqueue(new Do("render")));
        }
        JobId nowhere =
                gpu.jobs().with(JobOptions.DEFAULT.withTags("gpu", "moon")).enqueue(new Do("never"));

        Work.untilSucceeded(storage, jobs);

        assertEquals(Collections.nCopies(40, "gpu render"), ran);
        assertEquals(StateName.ENQUEUED, Work.state(storage, nowhere));
    }

    @Test
    void a_node_may_serve_some_queues_only() {
        Treadle mailer = opened(builder("mailer", Work.QUICK.withOnlyQueues(QueueSettings.of("mail")))
                .start());
        JobId other = mailer.jobs().enqueue(new Do("other"));
        JobId mail = mailer.jobs().with(MAIL).enqueue(new Do("mail"));

        Work.untilIn(StateName.SUCCEEDED, storage, mail);
        assertEquals(StateName.ENQUEUED, Work.state(storage, other));

        opened(builder("all", Work.QUICK).start());
        Work.untilIn(StateName.SUCCEEDED, storage, other);
        assertEquals(List.of("mailer mail", "all other"), ran);
    }

    @Test
    void jobs_of_a_queue_keep_their_priority_and_a_retry_stays_in_its_queue() {
        Treadle web = opened(builder("web", Work.QUICK).enqueueOnly());
        JobId last = web.jobs().with(MAIL.withPriority(5)).enqueue(new Do("last"));
        JobId first = web.jobs().with(MAIL.withPriority(-5)).enqueue(new Do("first"));

        start(Work.QUICK.withWorkers(1));

        Work.untilSucceeded(storage, List.of(last, first));
        assertEquals(List.of("a first", "a last"), ran);
    }

    @Test
    void settings_out_of_range_say_what_and_why() {
        for (Runnable wrong : List.<Runnable>of(
                () -> QueueSettings.of(" "),
                () -> QueueSettings.of("mail").withConcurrency(0),
                () -> QueueSettings.of("mail").withWeight(0),
                () -> QueueSettings.of("mail").withWeight(QueueSettings.WEIGHT_MAX + 1),
                () -> QueueSettings.of("mail").withExecutor(" "),
                () -> Work.QUICK.withOnlyQueues(),
                () -> Work.QUICK.withTags("ok", " "),
                () -> Work.QUICK.withQueues(QueueSettings.of("mail"), QueueSettings.of("mail")))) {
            assertThrows(IllegalArgumentException.class, wrong::run);
        }
    }
}
