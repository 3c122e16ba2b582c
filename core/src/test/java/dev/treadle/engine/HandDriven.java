package dev.treadle.engine;

import dev.treadle.enqueue.IdSource;
import dev.treadle.invoke.ConstructorActivator;
import dev.treadle.invoke.Handlers;
import dev.treadle.invoke.Invoker;
import dev.treadle.job.Due;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobTraits;
import dev.treadle.job.NodeId;
import dev.treadle.job.RetryDecision;
import dev.treadle.job.StateName;
import dev.treadle.payload.JsonArguments;
import dev.treadle.payload.TargetRules;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.ScriptedStorage;
import dev.treadle.storage.ScriptedStorage.Script;
import dev.treadle.storage.admin.AdminStorage;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Executor;

/** A node whose turns a test takes by hand: its jobs wait in a queue for a thread, and its time stands still. */
final class HandDriven {
    /** A job that does nothing. */
    record Nothing() implements JobRequest<Void> {}

    static final NodeId OTHER = new NodeId(2);

    /** What happens instead of each call to the storage. */
    Script script = (call, arguments, made) -> made.make();
    /** Who lends threads; by default the queue. */
    Executor executor = this::lend;
    /** Asked for the time, which takes memory. */
    InstantSource clock = this::now;

    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    int nudges;
    final Queue<Runnable> lent = new ArrayDeque<>();
    final AdminStorage real = new InMemoryStorageProvider(this::now);
    private final IdSource ids = new IdSource(this::now, new Random(1));
    final Node node;

    HandDriven(int workers) {
        this(workers, new Random(1));
    }

    HandDriven(int workers, Random random) {
        this.node = new Node(
                ScriptedStorage.over(real, (call, arguments, made) -> script.answer(call, arguments, made)),
                new NodeInfo(new NodeId(1), "self", "by hand", workers),
                new ExecutionConfig(
                        WorkerPools.of(task -> executor.execute(task), workers),
                        invoker(),
                        (thrown, attempt) -> RetryDecision.BY_POLICY),
                JobServerSettings.DEFAULT,
                new Nudges(
                        () -> nudges++, () -> {}, () -> {}, () -> {}, () -> {}, () -> {}, () -> {}, () -> {}, () -> {}),
                new Environment(() -> clock.instant(), random));
    }

    Instant now() {
        return now;
    }

    private void lend(Runnable task) {
        lent.add(task);
    }

    /** Beats, and looks for jobs until it finds nothing. */
    HandDriven started() {
        node.beat();
        dispatch();
        return this;
    }

    /** As the loop takes turns after a nudge: until one wants to rest. */
    void dispatch() {
        for (int turns = 0; node.dispatch().isZero(); turns++) {
            if (turns > 1_000) {
                throw new AssertionError("the dispatcher never rests");
            }
        }
        nudges = 0;
    }

    /** A job that is put in here, and begins at once if it may. */
    NewJob enqueue() {
        return enqueue(JobTraits.DEFAULT);
    }

    NewJob enqueue(JobTraits traits) {
        NewJob job = job(traits);
        nudges = 0;
        node.insert(List.of(job));
        return job;
    }

    NewJob job(JobTraits traits) {
        return new NewJob(ids.nextJobId(), new Invocation(Nothing.class.getName(), null, "{}"), Due.NOW, traits);
    }

    /** Runs the first of the jobs that have a thread, and writes down how it ended. */
    void endOne() {
        lent.remove().run();
        node.record();
        node.recordKeyed();
    }

    StateName stateOf(NewJob job) {
        return real.queries().find(job.id()).orElseThrow().job().state().name();
    }

    private static Invoker invoker() {
        return new Invoker(
                TargetRules.applicationTypes(),
                Handlers.none().withResult(Nothing.class, (request, context) -> null),
                new ConstructorActivator(),
                new JsonArguments(),
                HandDriven.class.getClassLoader());
    }
}
