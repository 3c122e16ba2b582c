package dev.treadle.faults;

import dev.treadle.Treadle;
import dev.treadle.job.ChildResults;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.RetryPolicy;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.sql.SqlStorageProvider;
import dev.treadle.storage.sql.SqlStorageSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A process that may be killed: runs jobs, enqueues jobs, or both, and tells of each start, end and acknowledged
 * enqueue in the file of events. It ends when the one who started it does.
 */
public final class FaultWorker {
    private final String name;
    private final Map<String, String> options;
    private final EventFile events;
    /** Threads of the server when it had just started. */
    private volatile Set<String> loops = Set.of();

    private FaultWorker(Map<String, String> options) throws IOException {
        this.options = options;
        this.name = options.get("name");
        this.events = new EventFile(Path.of(options.get("events")));
    }

    /** @param args {@code key=value}: name, events, url or h2; limits, workers, deadAfter, wait, patience, hang, enqueue, batch, millis */
    public static void main(String[] args) throws IOException {
        new FaultWorker(Arrays.stream(args)
                        .map(arg -> arg.split("=", 2))
                        .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1])))
                .live();
    }

    private void live() throws IOException {
        Treadle.Builder builder = Treadle.on(storage())
                .handler(FaultWork.class, this::run)
                .resultHandler(FaultValue.class, this::value)
                .handler(FaultEffect.class, this::effect)
                .resultHandler(FaultTree.class, this::tree)
                .executor(options.get("executor"))
                .settings(settings());
        Treadle treadle = number("workers") == 0 ? builder.enqueueOnly() : builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(treadle::close));
        new Thread(FaultWorker::endWithTheOneWhoStartedMe).start();
        loops = loopsNow();
        tell("READY", null, 0);
        enqueue(treadle);
    }

    private StorageProvider storage() {
        return options.containsKey("h2")
                ? SqlStorageProvider.h2File(Path.of(options.get("h2")))
                : SqlStorageProvider.open(
                        options.get("url") + options.get("limits") + "&ApplicationName=" + name,
                        null,
                        null,
                        SqlStorageSettings.DEFAULT.withConnectionWait(Duration.ofMillis(number("wait"))));
    }

    private JobServerSettings settings() {
        return JobServerSettings.DEFAULT
                .withName(name)
                .withWorkers(Math.max(1, number("workers")))
                .withDeadAfter(Duration.ofMillis(number("deadAfter")))
                .withStopPatience(Duration.ofMillis(number("patience")))
                .withRetries(RetryPolicy.DEFAULT.withDelays(Duration.ofMillis(100), Duration.ofSeconds(1)));
    }

    private Void run(FaultWork work, JobContext job) throws Exception {
        tell("START", job.jobId(), job.attempt());
        switch (work.kind()) {
            case GOOD -> Thread.sleep(work.millis());
            case HANG -> Thread.sleep(number("hang"));
            case HOG -> hog(work.millis());
            case LOOPS -> demandLoops();
            case STEPS -> steps(work, job);
            case POISON -> Runtime.getRuntime().halt(137);
        }
        tell("END", job.jobId(), job.attempt());
        return null;
    }

    private void steps(FaultWork work, JobContext job) throws Exception {
        for (int i = 0; i < FaultWork.STEPS; i++) {
            String name = "STEP-" + i;
            int doneIn = job.step(name, () -> {
                tell(name, job.jobId(), job.attempt());
                Thread.sleep(work.millis());
                return job.attempt();
            });
            job.step("effect-" + i, connection -> effect(connection, job.jobId(), name));
            // the attempt that did it, as this one was told
            tell("GIVEN-" + i, job.jobId(), doneIn);
        }
    }

    private static int effect(Connection connection, JobId job, String step) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into step_effect values (?, ?)")) {
            insert.setObject(1, job.value());
            insert.setString(2, step);
            return insert.executeUpdate();
        }
    }

    /** Large pieces first, then small ones into the gaps, until its time is over. */
    private static void hog(int millis) {
        long until = System.nanoTime() + millis * 1_000_000L;
        List<byte[]> held = new ArrayList<>();
        int size = 1 << 16;
        while (System.nanoTime() < until) {
            try {
                held.add(new byte[size]);
            } catch (OutOfMemoryError e) {
                size = Math.max(16, size / 16);
            }
        }
    }

    private void demandLoops() {
        Set<String> missing = new TreeSet<>(loops);
        missing.removeAll(loopsNow());
        if (!missing.isEmpty()) {
            throw new IllegalStateException("These threads have ended: " + missing);
        }
    }

    private static Set<String> loopsNow() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("treadle-"))
                .collect(Collectors.toSet());
    }

    private String value(FaultValue work, JobContext job) {
        tell("START", job.jobId(), job.attempt());
        tell("END", job.jobId(), job.attempt());
        return "the value of " + work.n();
    }

    /** Only leaves tell of their starts: a job that joins is called again from the top. */
    private int tree(FaultTree tree, JobContext job) throws Exception {
        if (tree.depth() == 0) {
            tell("START", job.jobId(), job.attempt());
            Thread.sleep(tree.millis());
            tell("END", job.jobId(), job.attempt());
            return 1;
        }
        ChildResults<Integer> below = job.spawn(
                        "below", IntStream.range(0, tree.width()).mapToObj(n -> tree.child()))
                .join();
        try (Stream<Integer> leaves = below.succeeded()) {
            return leaves.mapToInt(Integer::intValue).sum();
        }
    }

    private Void effect(FaultEffect work, JobContext job) throws Exception {
        tell("START", job.jobId(), job.attempt());
        if (work.transaction()) {
            job.transaction(connection -> effectAndTime("JOINED", connection, work, job));
        } else {
            try (Connection connection = DriverManager.getConnection(options.get("url"))) {
                effectAndTime("APART", connection, work, job);
            }
        }
        tell("END", job.jobId(), job.attempt());
        return null;
    }

    private Void effectAndTime(String said, Connection connection, FaultEffect work, JobContext job) throws Exception {
        Effects.write(connection, work, job);
        tell(said, job.jobId(), job.attempt());
        Thread.sleep(work.millis());
        return null;
    }

    private void enqueue(Treadle treadle) {
        int batch = number("batch");
        for (int n = 0; n < number("enqueue"); n += batch) {
            List<FaultWork> work = IntStream.range(n, n + batch)
                    .mapToObj(i -> FaultWork.good(i, number("millis")))
                    .toList();
            List<JobId> ids = batch == 1
                    ? List.of(treadle.jobs().enqueue(work.get(0)))
                    : treadle.jobs().enqueueAll(work.stream());
            ids.forEach(id -> tell("ACK", id, 0));
        }
    }

    private void tell(String what, JobId job, int attempt) {
        events.append(Event.line(what, name, job, attempt));
    }

    private int number(String option) {
        return Integer.parseInt(options.get(option));
    }

    private static void endWithTheOneWhoStartedMe() {
        try {
            while (System.in.read() != -1) {
                // nobody writes anything; its end is what is waited for
            }
        } catch (IOException e) {
            // as good as an end
        }
        Runtime.getRuntime().halt(1);
    }
}
