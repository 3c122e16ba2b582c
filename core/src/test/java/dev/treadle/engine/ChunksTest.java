package dev.treadle.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.enqueue.IdSource;
import dev.treadle.invoke.ConstructorActivator;
import dev.treadle.invoke.Handlers;
import dev.treadle.invoke.Invoker;
import dev.treadle.job.ChunkJob;
import dev.treadle.job.Due;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobTraits;
import dev.treadle.job.NodeId;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.RetryDecision;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.payload.JsonArguments;
import dev.treadle.payload.TargetRules;
import dev.treadle.server.JobServerSettings;
import dev.treadle.server.QueueStats;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.ScriptedStorage;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.admin.AdminStorage;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How a node gathers jobs for one call, turn by turn. */
class ChunksTest {
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final OperatorNote ANNA = new OperatorNote("anna", null);

    record Mail(int number) implements JobRequest<Void> {}

    record Plain() implements JobRequest<Void> {}

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final Queue<Runnable> lent = new ArrayDeque<>();
    private boolean refuses;
    private int claims;
    private final List<List<Integer>> calls = new ArrayList<>();
    private int plain;
    private final AdminStorage real = new InMemoryStorageProvider(() -> now);
    private final IdSource ids = new IdSource(() -> now, new Random(1));
    private final Node node = node(4);

    private Node node(int workers) {
        Handlers handlers = Handlers.none()
                .withChunks(Mail.class, 100, PATIENCE, this::send)
                .with(Plain.class, (request, context) -> plain++);
        StorageProvider counting = ScriptedStorage.over(real, (call, arguments, made) -> {
            claims += call.equals("claim") ? 1 : 0;
            return made.make();
        });
        return new Node(
                counting,
                new NodeInfo(new NodeId(1), "self", "by hand", workers),
                new ExecutionConfig(
                        WorkerPools.of(
                                task -> {
                                    if (refuses) {
                                        throw new RejectedExecutionException("stopped");
                                    }
                                    lent.add(task);
                                },
                                workers),
                        new Invoker(
                                TargetRules.applicationTypes(),
                                handlers,
                                new ConstructorActivator(),
                                new JsonArguments(),
                                ChunksTest.class.getClassLoader()),
                        (thrown, attempt) -> RetryDecision.GIVE_UP),
                JobServerSettings.DEFAULT,
                Nudges.none(),
                new Environment(() -> now, new Random(1)));
    }

    private void send(List<ChunkJob<Mail, Void>> mails) {
        calls.add(mails.stream().map(mail -> mail.request().number()).toList());
    }

    @Test
    void few_claims_fill_a_chunk_that_is_larger_than_the_node() {
        insert(mails(100));

        dispatch();

        assertEquals(1, lent.size(), "one thread");
        assertTrue(claims <= 8, () -> claims + " claims");
        end();
        assertEquals(List.of(IntStream.range(0, 100).boxed().toList()), calls);
    }

    @Test
    void a_chunk_holds_one_permit_while_it_runs() {
        insert(mails(1_000));

        dispatch();

        assertEquals(4, lent.size());
        assertEquals(4, node.running());
        assertTrue(stats().held() >= 400, () -> stats().toString());
        while (!lent.isEmpty()) {
            end();
            dispatch();
        }
        assertEquals(10, calls.size());
        assertEquals(0, stats().held());
        assertEquals(0, node.inFlight().size());
    }

    @Test
    void the_dispatcher_rests_until_the_time_of_the_first_job_is_over() {
        List<NewJob> few = insert(mails(3));
        Duration rest = dispatch();
        assertEquals(0, lent.size());
        assertTrue(rest.compareTo(PATIENCE) <= 0, rest::toString);
        assertEquals(StateName.PROCESSING, state(few.get(0)));

        now = now.plus(PATIENCE).minusMillis(1);
        assertTrue(dispatch().compareTo(Duration.ofMillis(1)) <= 0);
        assertEquals(0, lent.size());
        now = now.plusMillis(1);
        insert(mails(2));
        dispatch();

        assertEquals(1, lent.size(), "what came just now is another chunk");
        end();
        assertEquals(List.of(List.of(0, 1, 2)), calls);
    }

    @Test
    void other_jobs_run_while_a_chunk_fills() {
        insert(mails(3));
        insert(List.of(job(new Invocation(Plain.class.getName(), null, "{}")), mails(1).get(0)));

        dispatch();

        assertEquals(1, lent.size());
        end();
        assertEquals(1, plain);
        assertEquals(0, calls.size());
    }

    @Test
    void one_that_was_cancelled_while_the_chunk_filled_is_not_in_the_call() {
        List<NewJob> few = insert(mails(3));
        dispatch();
        assertEquals(WriteResult.WRITTEN, real.cancel(few.get(1).id(), ANNA));
        node.readStops();

        now = now.plus(PATIENCE);
        dispatch();
        end();

        assertEquals(List.of(List.of(0, 2)), calls);
        assertEquals(StateName.CANCELLED, state(few.get(1)));
        assertEquals(0, node.inFlight().size());
    }

    @Test
    void one_whose_request_cannot_be_read_is_parked_and_the_others_run() {
        List<NewJob> all = new ArrayList<>(mails(2));
        all.add(job(new Invocation(Mail.class.getName(), null, "{\"number\":\"none\"}")));
        insert(all);

        dispatch();
        now = now.plus(PATIENCE);
        dispatch();
        end();

        assertEquals(List.of(List.of(0, 1)), calls);
        assertEquals(StateName.PARKED, state(all.get(2)));
    }

    @Test
    void what_an_executor_refuses_and_what_waits_when_the_node_stops_goes_back() {
        List<NewJob> full = insert(mails(100));
        refuses = true;
        dispatchOnce();
        dispatch();
        node.record();
        assertEquals(StateName.ENQUEUED, state(full.get(0)));
        assertEquals(StateName.ENQUEUED, state(full.get(99)));
        assertEquals(0, node.running());

        node.stopDispatching();
        node.record();

        for (NewJob job : full) {
            assertEquals(StateName.ENQUEUED, state(job));
        }
        assertEquals(0, node.inFlight().size());
        assertEquals(0, stats().held());
    }

    @Test
    void a_paused_queue_gets_back_what_waits_for_others() {
        List<NewJob> few = insert(mails(3));
        dispatch();
        assertEquals(StateName.PROCESSING, state(few.get(0)));

        real.queues().pause(JobTraits.QUEUE_DEFAULT, ANNA, null, null);
        node.watch();
        dispatch();
        node.record();

        assertEquals(StateName.ENQUEUED, state(few.get(0)));
    }

    @Test
    void endings_that_cannot_be_recorded_keep_a_node_from_claiming_more() {
        insert(mails(3_000));
        dispatch();
        while (!lent.isEmpty()) {
            // nothing is recorded meanwhile
            lent.remove().run();
            dispatch();
        }

        int held = stats().held();
        assertTrue(held < 3_000, () -> held + " jobs are held");
        for (int turn = 0; turn < 100 && calls.size() < 30; turn++) {
            node.record();
            dispatch();
            if (!lent.isEmpty()) {
                lent.remove().run();
            }
        }
        assertEquals(30, calls.size(), "and go on afterwards");
    }

    private List<NewJob> mails(int count) {
        return IntStream.range(0, count)
                .mapToObj(n -> job(new Invocation(Mail.class.getName(), null, "{\"number\":" + n + "}")))
                .toList();
    }

    private NewJob job(Invocation call) {
        return new NewJob(ids.nextJobId(), call, Due.NOW, JobTraits.DEFAULT);
    }

    /** As another process would: the node has to look. */
    private List<NewJob> insert(List<NewJob> jobs) {
        for (int from = 0; from < jobs.size(); from += StorageProvider.BATCH_MAX) {
            real.insert(jobs.subList(from, Math.min(jobs.size(), from + StorageProvider.BATCH_MAX)));
        }
        node.beat();
        node.jobsBecameDue();
        return jobs;
    }

    private Duration dispatchOnce() {
        node.beat();
        return node.dispatch();
    }

    private Duration dispatch() {
        for (int turns = 0; turns < 1_000; turns++) {
            Duration rest = dispatchOnce();
            if (!rest.isZero()) {
                return rest;
            }
        }
        throw new AssertionError("the dispatcher never rests");
    }

    /** Runs the first of what has a thread, and writes down how it ended. */
    private void end() {
        lent.remove().run();
        node.record();
    }

    private QueueStats stats() {
        return node.localQueues().queueStats().get(0);
    }

    private StateName state(NewJob job) {
        JobId id = job.id();
        return real.queries().find(id).orElseThrow().job().state().name();
    }
}
