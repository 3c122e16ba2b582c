package dev.treadle.benchmark;

import dev.treadle.benchmark.BenchOptions.Subject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/** Which cells a command line means, and how many jobs each has: as many as take its contender 5 to 20 s. */
final class Plan {
    static final int DRAIN_JOBS = 400_000;
    static final int FILL_JOBS = 1_000_000;
    private static final int COLD_JOBS = 100_000;
    private static final int COLD_BLOCKING_JOBS = 10_000;
    private static final String COLD_WORKERS = "10000";
    /** Enough for the JVM to know which methods are hot. */
    private static final int COLD_TRAINING_JOBS = 20_000;

    private static final int H2_JOBS = 30_000;
    private static final int CLUSTER_NODES = 100;
    private static final int CLUSTER_JOBS = 20_000;
    private static final int IN_FLIGHT_MILLIS = 20_000;
    /** In megabytes. Why not 256: of a process that has hardly warmed up, 247 are live then. */
    private static final String IN_FLIGHT_HEAP = "384";

    private static final int LATENCY_JOBS = 200;
    private static final int GAP_MICROS = 50_000;
    private static final int STEADY_JOBS = 5_000;
    private static final int STEADY_GAP_MICROS = 1_000;
    private static final int PERMIT_JOBS = 2_400;
    private static final int QUICK_PART = 100;
    private static final Peer[] DRAINS = {
        Peer.TREADLE, Peer.TREADLE_POOL, Peer.BARE, Peer.JOBRUNR, Peer.DB_SCHEDULER, Peer.QUARTZ
    };
    private static final Peer[] WITHOUT_POOL = {Peer.TREADLE, Peer.BARE, Peer.JOBRUNR, Peer.DB_SCHEDULER, Peer.QUARTZ};

    private final BenchOptions options;

    Plan(BenchOptions options) {
        this.options = options;
    }

    /** What is measured, in this order. */
    List<Group> groups() {
        List<Group> groups = new ArrayList<>();
        add(groups, Subject.DRAIN, 3, drain("drain", Map.of(), DRAINS));
        add(groups, Subject.ENQUEUE, 2, enqueue("one"));
        add(groups, Subject.ENQUEUE, 2, enqueue("threads"));
        add(groups, Subject.ENQUEUE, 2, enqueue("bulk"));
        for (String other : List.of("false", "true")) {
            String suffix = Boolean.parseBoolean(other) ? "-other-jvm" : "";
            add(groups, Subject.LATENCY, 1, latency("latency" + suffix, LATENCY_JOBS, GAP_MICROS, other));
            add(groups, Subject.LATENCY, 1, latency("latency-steady" + suffix, STEADY_JOBS, STEADY_GAP_MICROS, other));
        }
        add(groups, Subject.PERMIT, 1, permit());
        add(groups, Subject.BLOCKING, 1, blocking());
        add(groups, Subject.BLOCKING, 1, blockingMany());
        add(groups, Subject.BLOCKING, 1, inFlight());
        add(groups, Subject.START, 1, start("start", "false"));
        add(groups, Subject.START, 1, start("start-archive", "true"));
        add(groups, Subject.COLD, 1, cold("cold", scaled(COLD_JOBS), 0));
        add(groups, Subject.COLD, 1, cold("cold-blocking", scaled(COLD_BLOCKING_JOBS), 100));
        add(groups, Subject.PINNED, 1, pinned());
        add(groups, Subject.SCHEDULED, 1, scheduled());
        add(groups, Subject.NODES, 1, nodes());
        add(groups, Subject.NODES, 1, cluster());
        add(groups, Subject.H2, 1, h2());
        if (options.subject().includes(Subject.JDBC)) {
            new JdbcPlan(this::scaled, options).groups().forEach(cells -> groups.add(new Group(cells, 1)));
        }
        if (options.subject().includes(Subject.FLOW)) {
            new FlowPlan(this::scaled, options).groups().forEach(cells -> groups.add(new Group(cells, 1)));
        }
        if (options.subject().includes(Subject.LOOM)) {
            new LoomPlan(this::scaled, options).groups().forEach(cells -> groups.add(new Group(cells, 1)));
        }
        return groups;
    }

    /** The workload that another one is the same as but for one thing, and beside which it is to be read. */
    static Optional<String> base(String workload) {
        return Optional.ofNullable(
                switch (workload) {
                    case "pinned" -> "pinned-off";
                    case "scheduled" -> "scheduled-off";
                    case "nodes-2", "nodes-4" -> "nodes-1";
                    default -> null;
                });
    }

    private void add(List<Group> groups, Subject subject, int roundsOfAll, List<Cell> cells) {
        if (options.subject().includes(subject)) {
            groups.add(new Group(cells, roundsOfAll));
        }
    }

    private List<Cell> drain(String workload, Map<String, String> params, Peer... peers) {
        return cells(workload, Task.Kind.DRAIN, this::drainJobs, peer -> params, peers);
    }

    private List<Cell> enqueue(String mode) {
        boolean bulk = mode.equals("bulk");
        ToIntFunction<Peer> jobs = peer -> switch (peer) {
            case QUARTZ -> scaled(2_000);
            case JOBRUNR -> scaled(bulk ? 100_000 : 15_000);
            case DB_SCHEDULER -> scaled(bulk ? 250_000 : 20_000);
            default -> scaled(mode.equals("one") ? 30_000 : bulk ? 500_000 : DRAIN_JOBS);
        };
        return cells("enqueue-" + mode, Task.Kind.ENQUEUE, jobs, peer -> Map.of("mode", mode), WITHOUT_POOL);
    }

    private List<Cell> latency(String workload, int jobs, int gapMicros, String other) {
        Map<String, String> params = Map.of("gap", String.valueOf(gapMicros), "other", other);
        // why not scaled: percentiles of few mean nothing
        int count = options.quick() ? 40 : jobs;
        // Quartz cannot take 1,000 jobs a second, so its latency under that load is how long the run is
        return cells(workload, Task.Kind.LATENCY, peer -> count, peer -> params, WITHOUT_POOL).stream()
                .filter(cell -> cell.peer() != Peer.QUARTZ || gapMicros >= GAP_MICROS)
                .toList();
    }

    /** From a free permit to the next start, on every storage and executor. */
    private List<Cell> permit() {
        // why not scaled: percentiles of few mean nothing
        int jobs = options.quick() ? 120 : PERMIT_JOBS;
        List<Cell> cells = new ArrayList<>();
        for (Cell.Storage storage : List.of(Cell.Storage.POSTGRES, Cell.Storage.H2_FILE, Cell.Storage.MEMORY)) {
            String on = storage.name().toLowerCase(Locale.ROOT).replace('_', '-');
            cells("permit", Task.Kind.PERMIT, peer -> jobs, peer -> Map.of(), Peer.TREADLE, Peer.TREADLE_POOL)
                    .forEach(cell ->
                            cells.add(cell.called(cell.label() + ", " + on).on(storage)));
        }
        return cells;
    }

    private List<Cell> blocking() {
        return cells(
                "blocking",
                Task.Kind.DRAIN,
                peer -> scaled(10_000),
                peer -> Map.of(
                        "millis",
                        "100",
                        "warm",
                        "2000",
                        "workers",
                        switch (peer) {
                            case TREADLE, BARE -> "10000";
                            case TREADLE_POOL -> "200";
                            case JOBRUNR -> "3000";
                            default -> "1000";
                        }),
                Peer.TREADLE,
                Peer.TREADLE_POOL,
                Peer.BARE,
                Peer.JOBRUNR,
                Peer.DB_SCHEDULER);
    }

    private List<Cell> blockingMany() {
        Map<String, String> params =
                Map.of("millis", "100", "warm", "2000", "workers", "100000", "heap", "256", "published", "0.672");
        return cells(
                "blocking-100000", Task.Kind.DRAIN, peer -> scaled(100_000), peer -> params, Peer.TREADLE, Peer.BARE);
    }

    /** Each sleeps for longer than it takes to claim them all, so that all are in flight at once. */
    private List<Cell> inFlight() {
        Map<String, String> params = Map.of(
                "millis",
                String.valueOf(options.quick() ? 500 : IN_FLIGHT_MILLIS),
                "warm",
                "2000",
                "workers",
                "100000",
                "heap",
                IN_FLIGHT_HEAP);
        return cells(
                "blocking-in-flight",
                Task.Kind.DRAIN,
                peer -> scaled(100_000),
                peer -> params,
                Peer.TREADLE,
                Peer.BARE);
    }

    /** How many jobs makes no difference: each start has one. */
    private List<Cell> start(String workload, String archive) {
        Map<String, String> params = new HashMap<>(Map.of("archive", archive));
        if (options.quick()) {
            params.putAll(Map.of("warm", "1", "times", "2"));
        }
        return cells(workload, Task.Kind.START, peer -> 1, peer -> params, WITHOUT_POOL);
    }

    /** Jobs that do nothing or block, in a JVM that has done nothing before, and in one that has a cache of an earlier one. */
    private List<Cell> cold(String workload, int jobs, int millis) {
        List<Cell> cells = new ArrayList<>();
        for (String cache : List.of("false", "true")) {
            Map<String, String> params = Map.of(
                    "cache",
                    cache,
                    "millis",
                    String.valueOf(millis),
                    "workers",
                    COLD_WORKERS,
                    "training",
                    String.valueOf(scaled(COLD_TRAINING_JOBS)));
            String suffix = Boolean.parseBoolean(cache) ? ", with cache" : "";
            cells(workload, Task.Kind.COLD, peer -> jobs, peer -> params, Peer.TREADLE, Peer.BARE)
                    .forEach(cell -> cells.add(cell.called(cell.label() + suffix)));
        }
        return cells;
    }

    private List<Cell> pinned() {
        List<Cell> cells = new ArrayList<>(drain("pinned", Map.of("pinned", "true"), WITHOUT_POOL));
        cells.addAll(drain("pinned-off", Map.of(), WITHOUT_POOL));
        return cells;
    }

    private List<Cell> scheduled() {
        List<Cell> cells = new ArrayList<>();
        drain("scheduled", Map.of(), Peer.TREADLE, Peer.BARE)
                .forEach(cell -> cells.add(cell.filled(scaled(FILL_JOBS))));
        cells.addAll(drain("scheduled-off", Map.of(), Peer.TREADLE, Peer.BARE));
        return cells;
    }

    private List<Cell> nodes() {
        List<Cell> cells = new ArrayList<>();
        for (int nodes : new int[] {1, 2, 4}) {
            Map<String, String> params = Map.of("nodes", String.valueOf(nodes));
            Peer[] peers = isAll() ? new Peer[] {Peer.TREADLE, Peer.BARE} : WITHOUT_POOL;
            cells.addAll(cells("nodes-" + nodes, Task.Kind.NODES, this::drainJobs, peer -> params, peers));
        }
        return cells;
    }

    /** A hundred nodes with little to do, on one database. */
    private List<Cell> cluster() {
        Map<String, String> params = options.quick()
                ? Map.of("nodes", "8", "idle", "5", "trickle", "100")
                : Map.of("nodes", String.valueOf(CLUSTER_NODES));
        return cells(
                "nodes-" + params.get("nodes") + "-light",
                Task.Kind.CLUSTER,
                peer -> scaled(CLUSTER_JOBS),
                peer -> params,
                Peer.TREADLE);
    }

    private List<Cell> h2() {
        List<Cell> cells = new ArrayList<>();
        for (Cell.Storage storage : List.of(Cell.Storage.H2_FILE, Cell.Storage.H2_MEMORY)) {
            String on = storage == Cell.Storage.H2_FILE ? "h2-file" : "h2-memory";
            Peer[] both = {Peer.TREADLE, Peer.TREADLE_POOL};
            List<Cell> some = new ArrayList<>(
                    cells("drain-" + on, Task.Kind.DRAIN, peer -> scaled(H2_JOBS), peer -> Map.of(), both));
            some.addAll(cells(
                    "enqueue-one-" + on, Task.Kind.ENQUEUE, peer -> scaled(H2_JOBS), peer -> Map.of(), Peer.TREADLE));
            some.forEach(cell -> cells.add(cell.on(storage)));
        }
        return cells;
    }

    private List<Cell> cells(
            String workload,
            Task.Kind kind,
            ToIntFunction<Peer> jobs,
            Function<Peer, Map<String, String>> params,
            Peer... peers) {
        return Stream.of(peers)
                .filter(this::isWanted)
                .map(peer -> Cell.of(workload, peer, kind, jobs.applyAsInt(peer), params.apply(peer)))
                .toList();
    }

    /** Then what says least has to be left to its own command, or it would take hours. */
    private boolean isAll() {
        return options.subject() == Subject.ALL;
    }

    private boolean isWanted(Peer peer) {
        return options.peers() || !peer.isForeign();
    }

    private int drainJobs(Peer peer) {
        return switch (peer) {
            case TREADLE, TREADLE_POOL, BARE -> scaled(DRAIN_JOBS);
            case DB_SCHEDULER -> scaled(30_000);
            case JOBRUNR -> scaled(10_000);
            case QUARTZ -> scaled(2_000);
            case DBOS -> throw new IllegalArgumentException("DBOS is not measured in a drain.");
        };
    }

    /** A full count in proportion to what was asked for. */
    private int scaled(int full) {
        double part =
                options.jobs() != null ? (double) options.jobs() / DRAIN_JOBS : options.quick() ? 1.0 / QUICK_PART : 1;
        return (int) Math.max(20, full * part);
    }
}
