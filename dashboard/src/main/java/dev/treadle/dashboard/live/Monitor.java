package dev.treadle.dashboard.live;

import dev.treadle.health.Verdict;
import dev.treadle.health.rules.HealthFacts;
import dev.treadle.health.rules.HealthFacts.Outage;
import dev.treadle.health.rules.HealthFacts.Recent;
import dev.treadle.health.rules.HealthRules;
import dev.treadle.health.rules.OperatorOverrides;
import dev.treadle.job.NodeId;
import dev.treadle.job.StateName;
import dev.treadle.server.JobServer;
import dev.treadle.server.ServerState;
import dev.treadle.storage.NodeMinute;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.admin.AdminStorage;
import dev.treadle.storage.admin.FailureGroup;
import dev.treadle.storage.admin.JobSearch.Attempt;
import dev.treadle.storage.admin.JobSearch.NodeSeen;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the storage and at this JVM, turn by turn, and keeps what charts and verdict need. What it costs does not
 * depend on how many people look. One thread takes turns; any thread may ask.
 */
public final class Monitor {
    private static final Duration LONGEST_WINDOW = Duration.ofDays(7);
    private static final Duration GONE_WITHIN = Duration.ofHours(1);
    /** Failures and nodes change slowly, and asking costs more: asked once in this many turns. */
    private static final int SLOW_EVERY = 3;

    private static final int SLOWER_EVERY = 15;
    /** What the rules call recent. */
    private static final int RECENT_SECONDS = 300;
    /** The assumed length of a look if that is unknown. */
    private static final long LOOK_MILLIS = 1_000;
    /** Latency is told of attempts that ended so recently at most, also where the look before was long ago. */
    private static final long RECENT_MAX_MILLIS = 10_000;

    /** How long a caller waits who asks before the first turn: the page is opened as soon as its address is printed. */
    private static final int FIRST_LOOK_MAX_MILLIS = 15_000;

    private static final Logger LOG = LoggerFactory.getLogger(Monitor.class);

    private final AdminStorage storage;
    private final InstantSource time;
    private final Jvm jvm;
    private final OperatorOverrides overrides;
    private final Series series = new Series();
    private final Hub<Tick> hub = new Hub<>();
    private final Machines machines = new Machines();
    private final Supplier<Optional<JobServer>> server;

    private @Nullable Map<StateName, Long> before;
    private Map<StateName, Long> counts = Map.of();
    private volatile List<NodeSeen> nodes = List.of();
    private volatile List<FailureGroup> failures = List.of();
    private @Nullable Duration oldest;
    private OperatorOverrides.Standing standing = OperatorOverrides.Standing.NONE;
    private boolean down;
    private long failedThen;
    private long downSince;
    private long turns;
    private long lookedAt;
    private boolean isRestored;
    private volatile @Nullable Tick last;
    private volatile List<ProblemView> problems = List.of();

    /**
     * @param time   the wall clock
     * @param server the server of this process; empty while it runs no jobs
     */
    public Monitor(AdminStorage storage, InstantSource time, Supplier<Optional<JobServer>> server) {
        this.storage = storage;
        this.server = server;
        this.time = time;
        this.jvm = new Jvm(() -> server.get().map(JobServer::running).orElse(0));
        this.overrides = new OperatorOverrides(storage, time);
    }

    /** Looks once. */
    public void turn() {
        long now = time.millis();
        Vitals mine = jvm.vitals(now);
        machines.keepOwn(mine);
        Point point = null;
        Outage outage = null;
        try {
            point = look(now, mine);
            down = false;
        } catch (StorageException e) {
            if (!down) {
                downSince = now;
                LOG.warn("The dashboard cannot read from the storage.", e);
            }
            down = true;
            outage = Outage.of(e, Duration.ofMillis(now - downSince));
        }
        turns++;
        HealthFacts facts = facts(outage, mine);
        Verdict verdict = HealthRules.verdict(facts);
        problems = verdict.problems().stream().map(ProblemView::of).toList();
        Tick tick = new Tick(
                now,
                VerdictView.of(verdict, facts),
                counts,
                oldest == null ? null : oldest.toMillis(),
                point,
                nodes.stream()
                        .map(seen -> Server.of(seen, vitalsOf(seen, mine)))
                        .toList(),
                mine,
                standing.queues(),
                standing.paused().size());
        last = tick;
        hub.publish(tick);
    }

    private HealthFacts facts(@Nullable Outage outage, Vitals mine) {
        Point five = series.last(RECENT_SECONDS);
        boolean serverStopped =
                server.get().filter(own -> own.state() == ServerState.STOPPED).isPresent();
        return new HealthFacts(
                outage,
                counts,
                oldest,
                nodes,
                new Recent(five == null ? 0 : five.ok(), five == null ? 0 : five.failed(), failures),
                standing,
                new HealthFacts.Self(serverStopped, mine.heapUsed(), mine.heapMax()));
    }

    private @Nullable Vitals vitalsOf(NodeSeen seen, Vitals mine) {
        return seen.node().id().equals(self())
                ? mine
                : machines.last(seen.node().id());
    }

    private Point look(long now, Vitals mine) {
        if (!isRestored) {
            List<NodeMinute> told = storage.minutes().together(time.instant().minus(LONGEST_WINDOW));
            series.begin(told.stream().map(minute -> Point.of(minute, now)).toList(), now);
            isRestored = true;
        }
        Map<StateName, Long> seen = storage.search().counts();
        counts = seen.isEmpty() ? Map.of() : Map.copyOf(new EnumMap<>(seen));
        oldest = storage.search().longestWait();
        if (turns % SLOW_EVERY == 0) {
            nodes = storage.search().nodes(GONE_WITHIN);
            machines.keep(nodes, now);
            standing = overrides.look(turns % SLOWER_EVERY == 0);
        }
        long failedNow = counts.getOrDefault(StateName.FAILED, 0L);
        if (failedNow != failedThen || turns % SLOWER_EVERY == 0) {
            failures = storage.search().failures();
            failedThen = failedNow;
        }
        long ok = since(StateName.SUCCEEDED);
        long failed = since(StateName.FAILED);
        // the first look sees nothing happen, and after a clock that went back nobody knows
        long millis = lookedAt == 0 || now <= lookedAt ? LOOK_MILLIS : now - lookedAt;
        lookedAt = now;
        List<Attempt> recent = ok + failed == 0
                ? List.of()
                : storage.search().recent(Duration.ofMillis(Math.min(millis, RECENT_MAX_MILLIS)));
        before = counts;
        Machines.Heap heap = machines.heap(nodes, HealthRules.SILENT_MAX, self(), mine);
        Point point = new Point(
                now,
                millis / 1_000.0,
                ok,
                failed,
                counts.getOrDefault(StateName.PROCESSING, 0L),
                counts.getOrDefault(StateName.ENQUEUED, 0L),
                percentile(recent, Attempt::ranFor, 0.5),
                percentile(recent, Attempt::ranFor, 0.95),
                percentile(recent, Attempt::waited, 0.95),
                oldest == null ? null : oldest.toMillis(),
                heap == null ? null : heap.used(),
                heap == null ? null : heap.size());
        series.add(point);
        return point;
    }

    /** Not negative: jobs also leave these states, when they are deleted or run again. */
    private long since(StateName state) {
        return before == null ? 0 : Math.max(0, counts.getOrDefault(state, 0L) - before.getOrDefault(state, 0L));
    }

    private static @Nullable Long percentile(
            List<Attempt> attempts, Function<Attempt, @Nullable Duration> which, double share) {
        List<Duration> sorted =
                attempts.stream().map(which).filter(Objects::nonNull).sorted().toList();
        return sorted.isEmpty()
                ? null
                : sorted.get((int) Math.min(sorted.size() - 1L, Math.round(share * sorted.size())))
                        .toMillis();
    }

    /** How this JVM stood, oldest first. */
    public List<Vitals> vitals() {
        return machines.own();
    }

    /** How a node stood over a window, oldest first. */
    public List<Vitals> vitals(NodeId node, String window) {
        return machines.over(window, node, node.equals(self()), storage.minutes(), time.millis());
    }

    /** The node of this process; null while it runs no jobs. */
    public @Nullable NodeId self() {
        return server.get().map(own -> own.self().id()).orElse(null);
    }

    /** The nodes that were seen last. */
    public List<NodeSeen> nodes() {
        return nodes;
    }

    /** What does not change about this JVM. */
    public Object jvm() {
        return jvm.facts();
    }

    /** Failed jobs by cause, as the last look found them. */
    public List<FailureGroup> failures() {
        return failures;
    }

    /** The charts' numbers. */
    public Series series() {
        return series;
    }

    /** What the last turn saw. Who asks before the first turn waits for it a while; null if it did not come. */
    public @Nullable Tick last() {
        if (last == null) {
            try {
                hub.after(0, FIRST_LOOK_MAX_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return last;
    }

    /** What is wrong, worst first. */
    public List<ProblemView> problems() {
        return problems;
    }

    /** Where ticks are published. */
    public Hub<Tick> hub() {
        return hub;
    }

    /**
     * What one turn saw, as the live stream sends it.
     *
     * @param at       milliseconds since 1970
     * @param counts   jobs in each state
     * @param oldestMs how long the job has waited that came due first; null if none waits
     * @param point    for the charts; null while the storage is away
     * @param vitals   of this JVM
     * @param queues   how many there are
     * @param paused   how many of them rest
     */
    public record Tick(
            long at,
            VerdictView verdict,
            Map<StateName, Long> counts,
            @Nullable Long oldestMs,
            @Nullable Point point,
            List<Server> servers,
            Vitals vitals,
            int queues,
            int paused) {}

    /**
     * A node, in a few numbers.
     *
     * @param id        its id, as text because it is longer than JavaScript's numbers
     * @param beatAgoMs how long ago it was heard, by the clock of the storage
     * @param goneAt    when it went; null while it lives
     * @param vitals    how it stood when it was heard last; null if it does not tell
     */
    public record Server(
            String id,
            String name,
            String executor,
            int workers,
            int running,
            String startedAt,
            long beatAgoMs,
            @Nullable String goneAt,
            @Nullable Vitals vitals) {
        static Server of(NodeSeen seen, @Nullable Vitals vitals) {
            return new Server(
                    Long.toString(seen.node().id().value()),
                    seen.node().name(),
                    seen.node().executor(),
                    seen.node().workers(),
                    seen.running(),
                    seen.startedAt().toString(),
                    seen.beatAgo().toMillis(),
                    seen.goneAt() == null ? null : seen.goneAt().toString(),
                    seen.goneAt() == null ? vitals : null);
        }
    }
}
