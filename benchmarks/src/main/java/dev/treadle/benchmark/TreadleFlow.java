package dev.treadle.benchmark;

import dev.treadle.Treadle;
import dev.treadle.job.GateId;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.sql.SqlStorageProvider;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Treadle's children, as an application uses them. */
final class TreadleFlow implements Flow {
    private static final Duration PATIENCE = Duration.ofMinutes(30);

    /** A job that does nothing. */
    record Leaf(int number) implements JobRequest<Void> {}

    /** Spawns leaves, from this number on, and joins them. */
    record Branch(int from, int count) implements JobRequest<Void> {}

    /** Spawns branches and joins them. */
    record Root(int branches, int each) implements JobRequest<Void> {}

    /** Spawns a leaf, joins it, and says so. */
    record Chain(int number) implements JobRequest<Void> {}

    /** Spawns a job that awaits an event, and joins it. */
    record Sleeper(int number) implements JobRequest<Void> {}

    /** Awaits an event. */
    record Question(int number) implements JobRequest<Void> {}

    private final Database database;
    private final Consumer<Work> body;
    private final IntConsumer joined;
    /** The jobs that sleep, in the order in which they were enqueued. */
    private final List<JobId> sleepers = new CopyOnWriteArrayList<>();

    private @Nullable Treadle open;

    /** @param joined told when a chain goes on behind its child */
    TreadleFlow(Database database, Consumer<Work> body, IntConsumer joined) {
        this.database = database;
        this.body = body;
        this.joined = joined;
    }

    @Override
    public void start() {
        open = Treadle.on(SqlStorageProvider.open(database.url(), database.user(), ""))
                .executor("virtual")
                .settings(JobServerSettings.DEFAULT.withWorkers(Peer.TREADLE.workers()))
                .handler(Leaf.class, (leaf, job) -> body.accept(Work.nothing(leaf.number())))
                .handler(Branch.class, TreadleFlow::branch)
                .handler(
                        Root.class,
                        (root, job) -> job.spawn(
                                        "branch",
                                        IntStream.range(0, root.branches())
                                                .mapToObj(i -> new Branch(i * root.each(), root.each())))
                                .join())
                .handler(Chain.class, (chain, job) -> {
                    job.spawn("leaf", new Leaf(chain.number())).join();
                    joined.accept(chain.number());
                })
                .handler(Sleeper.class, (sleeper, job) -> {
                    job.spawn("question", new Question(sleeper.number())).join();
                })
                .handler(Question.class, (question, job) -> {
                    job.await("answer", String.class, Duration.ofDays(30));
                })
                .start();
    }

    private static void branch(Branch branch, JobContext job) {
        job.spawn("leaf", IntStream.range(0, branch.count()).mapToObj(i -> new Leaf(branch.from() + i)))
                .join();
    }

    private Treadle treadle() {
        return Objects.requireNonNull(open, "not started");
    }

    @Override
    public void plain(int jobs) {
        treadle().jobs().enqueueAll(IntStream.range(0, jobs).mapToObj(Leaf::new));
    }

    @Override
    public void tree(int children) throws Exception {
        run(new Branch(0, children));
    }

    @Override
    public void tree(int children, int each) throws Exception {
        run(new Root(children, each));
    }

    @Override
    public void chain(int number) throws Exception {
        run(new Chain(number));
    }

    private void run(JobRequest<Void> request) throws Exception {
        JobId id = treadle().jobs().enqueue(request);
        treadle().jobs().await(id, Object.class, PATIENCE);
    }

    @Override
    public void sleepers(int jobs) {
        for (int from = 0; from < jobs; from += 1_000) {
            int first = from;
            sleepers.addAll(treadle()
                    .jobs()
                    .enqueueAll(IntStream.range(first, Math.min(jobs, first + 1_000))
                            .mapToObj(Sleeper::new)));
        }
    }

    @Override
    public long asleep() {
        return database.number("count(*) from treadle_waiting");
    }

    @Override
    public void wake(int number) throws Exception {
        JobId sleeper = sleepers.get(number);
        treadle().jobs().signal(GateId.of(sleeper, "question").child(0), "answer", "yes");
        treadle().jobs().await(sleeper, Object.class, PATIENCE);
    }

    @Override
    public boolean isDrained() {
        return database.holds("not exists (select 1 from treadle_lease) and not exists (select 1 from treadle_ready)");
    }

    @Override
    public long finished() {
        return database.number("count(*) from treadle_history where next = 3");
    }

    @Override
    public void close() {
        if (open != null) {
            open.close();
            open = null;
        }
    }
}
