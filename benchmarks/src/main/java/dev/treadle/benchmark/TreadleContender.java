package dev.treadle.benchmark;

import dev.treadle.Treadle;
import dev.treadle.enqueue.IdSource;
import dev.treadle.job.Due;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobTraits;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import dev.treadle.storage.sql.SqlStorageProvider;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Treadle as an application uses it: through its public door. */
final class TreadleContender implements Contender {
    /** The request that each job is. */
    record Measured(Work work) implements JobRequest<Void> {}

    private final Database database;
    private final Consumer<Work> body;
    private final String executor;
    private @Nullable Treadle open;
    private long openedAt;

    TreadleContender(Database database, Consumer<Work> body, String executor) {
        this.database = database;
        this.body = body;
        this.executor = executor;
    }

    @Override
    public void prepare() {
        open();
    }

    private Treadle open() {
        if (open == null) {
            open = Treadle.on(storage()).enqueueOnly();
        }
        return open;
    }

    private StorageProvider storage() {
        return database.url().equals(Database.MEMORY) ? new InMemoryStorageProvider(Clock.systemUTC()) : sqlStorage();
    }

    private SqlStorageProvider sqlStorage() {
        return SqlStorageProvider.open(database.url(), database.user(), "");
    }

    @Override
    public void enqueueOne(Work work) {
        open().jobs().enqueue(new Measured(work));
    }

    @Override
    public void enqueueBulk(Stream<Work> work) {
        open().jobs().enqueueAll(work.map(Measured::new));
    }

    /** Through the storage port, because the public door schedules one by one. */
    @Override
    public void scheduleBulk(Stream<Work> work) {
        RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
        IdSource ids = new IdSource(Clock.systemUTC(), random);
        Due later = new Due.After(Duration.ofDays(1));
        List<NewJob> batch = new ArrayList<>();
        try (SqlStorageProvider storage = sqlStorage()) {
            work.forEachOrdered(one -> {
                String arguments = "{\"work\":" + BarePayload.write(one) + "}";
                batch.add(new NewJob(
                        ids.nextJobId(),
                        new Invocation(Measured.class.getName(), null, arguments),
                        later,
                        JobTraits.DEFAULT));
                if (batch.size() == StorageProvider.BATCH_MAX) {
                    storage.insert(List.copyOf(batch));
                    batch.clear();
                }
            });
            if (!batch.isEmpty()) {
                storage.insert(batch);
            }
        }
    }

    @Override
    public void startWorkers(int workers) {
        close();
        JobServerSettings settings =
                workers == 0 ? JobServerSettings.DEFAULT : JobServerSettings.DEFAULT.withWorkers(workers);
        StorageProvider storage = storage();
        openedAt = System.nanoTime();
        open = Treadle.on(storage)
                .executor(executor)
                .settings(settings)
                .handler(Measured.class, (measured, context) -> {
                    body.accept(measured.work());
                })
                .start();
    }

    @Override
    public long openedAt() {
        return openedAt;
    }

    @Override
    public void stopWorkers() {
        close();
    }

    @Override
    public boolean isDrained() {
        return database.holds("not exists (select 1 from treadle_lease) and not exists (select 1 from treadle_ready)");
    }

    @Override
    public long waiting() {
        return database.number("count(*) from treadle_ready");
    }

    @Override
    public OptionalLong finished() {
        return OptionalLong.of(database.number("count(*) from treadle_history where next = 3"));
    }

    @Override
    public void close() {
        if (open != null) {
            open.close();
            open = null;
        }
    }
}
