package dev.treadle.micrometer;

import dev.treadle.Treadle;
import dev.treadle.health.HealthProblem.Rule;
import dev.treadle.health.Verdict.Level;
import dev.treadle.job.QueueState;
import dev.treadle.job.ResourceUse;
import dev.treadle.job.StateName;
import dev.treadle.micrometer.StorageFigures.Seen;
import dev.treadle.server.JobServer;
import dev.treadle.server.QueueStats;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Meters of one Treadle: what its storage holds, and what the server of this process does.
 *
 * <pre>{@code
 * new TreadleMetrics(treadle).bindTo(registry);
 * }</pre>
 *
 * <p>Figures of the server are read from what it counts anyway. Figures of the storage are the same in every process; it
 * is asked when a meter is read, at most once in 5 s, on a thread of its own. While it does not answer they are
 * {@code NaN}. At most {@value #QUEUES_MAX} queues have meters of their own; further ones share the tag
 * {@value #OTHER_QUEUES}. Thread-safe.
 */
public final class TreadleMetrics implements MeterBinder {
    /** How often the storage is asked at most, unless another interval is set. */
    public static final Duration INTERVAL = Duration.ofSeconds(5);
    /** Most queues that have meters of their own. */
    public static final int QUEUES_MAX = 100;
    /** The tag of all further queues together. */
    public static final String OTHER_QUEUES = "(others)";

    private static final Duration INTERVAL_MIN = Duration.ofMillis(100);
    private static final Duration INTERVAL_MAX = Duration.ofHours(1);

    private final Treadle treadle;
    private final Tags tags;
    private final StorageFigures figures;
    private final BoundedNames queueNames = new BoundedNames(QUEUES_MAX, OTHER_QUEUES);
    private final List<Registered> registries = new CopyOnWriteArrayList<>();

    /** Meters without tags of the application, and the usual interval. */
    public TreadleMetrics(Treadle treadle) {
        this(treadle, List.of(), INTERVAL);
    }

    /**
     * Meters with tags of the application, such as its name.
     *
     * @param interval the storage is asked at most once in this time, 100 ms to 1 h
     * @throws IllegalArgumentException if that is out of range
     */
    public TreadleMetrics(Treadle treadle, Iterable<Tag> tags, Duration interval) {
        if (interval.compareTo(INTERVAL_MIN) < 0 || interval.compareTo(INTERVAL_MAX) > 0) {
            throw new IllegalArgumentException(
                    "The interval " + interval + " is out of range: " + INTERVAL_MIN + " to " + INTERVAL_MAX + ".");
        }
        this.treadle = treadle;
        this.tags = Tags.of(tags);
        this.figures = new StorageFigures(treadle, interval, this::registerNew);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Registered to = new Registered(registry, tags);
        for (StateName state : StateName.values()) {
            to.gauge(TreadleMeter.JOBS, seen(seen -> count(seen, state)), tag("state", state.name()));
        }
        for (Level level : Level.values()) {
            to.gauge(
                    TreadleMeter.HEALTH,
                    seen(seen -> seen.verdict().level() == level ? 1 : 0),
                    tag("level", level.name()));
        }
        for (Rule rule : Rule.values()) {
            to.gauge(
                    TreadleMeter.PROBLEM,
                    seen(seen ->
                            seen.verdict().problems().stream().anyMatch(problem -> problem.rule() == rule) ? 1 : 0),
                    tag("rule", rule.id()));
        }
        bindServer(to);
        registries.add(to);
        // so that the first scrape knows the queues
        figures.ask();
    }

    /** A server may be started later, and another one after it. */
    private void bindServer(Registered to) {
        JobServer first = treadle.server().orElse(null);
        if (first == null || !to.isNew("server")) {
            return;
        }
        to.gauge(TreadleMeter.SERVER_RUNNING, ofServer(JobServer::running));
        to.gauge(TreadleMeter.SERVER_IN_FLIGHT, ofServer(JobServer::inFlight));
        to.gauge(
                TreadleMeter.SERVER_WORKERS,
                ofServer(server -> server.admitted().workers()));
        to.gauge(
                TreadleMeter.SERVER_ADMITTED,
                ofServer(server -> server.admitted().admitted()));
        to.gauge(TreadleMeter.HEAP_LIVE, ofServer(server -> server.admitted().live()));
        to.counter(
                TreadleMeter.HEAP_LOWERED, ofServer(server -> server.admitted().lowered()));
        to.counter(
                TreadleMeter.HEAP_RAISED, ofServer(server -> server.admitted().raised()));
        for (ResourceUse resource : first.resources()) {
            String name = resource.name();
            Tags tag = tag("resource", name);
            to.gauge(
                    TreadleMeter.RESOURCE_PERMITS,
                    ofResource(name, use -> use.permits() == null ? 0 : use.permits()),
                    tag);
            to.gauge(TreadleMeter.RESOURCE_USED, ofResource(name, ResourceUse::inUse), tag);
            to.gauge(TreadleMeter.RESOURCE_WAITING, ofResource(name, ResourceUse::waiting), tag);
        }
    }

    private Supplier<Number> ofServer(ToDoubleFunction<JobServer> value) {
        return () -> treadle.server().stream().mapToDouble(value).findFirst().orElse(Double.NaN);
    }

    private Supplier<Number> ofResource(String name, ToDoubleFunction<ResourceUse> value) {
        return ofServer(server -> server.resources().stream()
                .filter(use -> use.name().equals(name))
                .mapToDouble(value)
                .sum());
    }

    /** Registers what is not registered yet. */
    private void registerNew(Seen seen) {
        Set<String> stored = shown(seen.queues().stream().map(QueueState::queue));
        Set<String> local = shown(treadle.server().stream()
                .flatMap(server -> server.queueStats().stream())
                .map(QueueStats::queue));
        for (Registered to : registries) {
            bindServer(to);
            stored.stream().filter(queue -> to.isNew("stored " + queue)).forEach(queue -> bindQueue(to, queue));
            local.stream().filter(queue -> to.isNew("local " + queue)).forEach(queue -> bindQueueOfServer(to, queue));
        }
    }

    private Set<String> shown(Stream<String> queues) {
        return queues.map(queueNames::of).collect(Collectors.toCollection(TreeSet::new));
    }

    private void bindQueue(Registered to, String queue) {
        Tags tag = tag("queue", queue);
        to.gauge(TreadleMeter.QUEUE_WAITING, seen(seen -> sum(seen, queue, QueueState::waiting)), tag);
        to.gauge(TreadleMeter.QUEUE_OLDEST, seen(seen -> max(seen, queue, TreadleMetrics::oldestSeconds)), tag);
        to.gauge(
                TreadleMeter.QUEUE_PAUSED, seen(seen -> max(seen, queue, state -> state.pause() == null ? 0 : 1)), tag);
    }

    private static double oldestSeconds(QueueState state) {
        Duration oldest = state.oldestWaits();
        return oldest == null ? 0 : Math.max(0, oldest.toMillis() / 1_000.0);
    }

    private void bindQueueOfServer(Registered to, String queue) {
        Tags tag = tag("queue", queue);
        to.counter(TreadleMeter.CLAIMED, ofQueue(queue, QueueStats::claimed), tag);
        to.counter(TreadleMeter.ATTEMPTS, ofQueue(queue, QueueStats::completed), tag.and("outcome", "completed"));
        to.counter(TreadleMeter.ATTEMPTS, ofQueue(queue, QueueStats::failed), tag.and("outcome", "failed"));
    }

    private Supplier<Number> ofQueue(String shown, ToDoubleFunction<QueueStats> value) {
        return ofServer(server -> server.queueStats().stream()
                .filter(stats -> queueNames.of(stats.queue()).equals(shown))
                .mapToDouble(value)
                .sum());
    }

    private double sum(Seen seen, String shown, ToDoubleFunction<QueueState> value) {
        return seen.counts() == null
                ? Double.NaN
                : of(seen, shown).mapToDouble(value).sum();
    }

    private double max(Seen seen, String shown, ToDoubleFunction<QueueState> value) {
        return seen.counts() == null
                ? Double.NaN
                : of(seen, shown).mapToDouble(value).max().orElse(0);
    }

    private Stream<QueueState> of(Seen seen, String shown) {
        return seen.queues().stream()
                .filter(state -> queueNames.of(state.queue()).equals(shown));
    }

    private static double count(Seen seen, StateName state) {
        Map<StateName, Long> counts = seen.counts();
        return counts == null ? Double.NaN : counts.getOrDefault(state, 0L);
    }

    /** Reads a figure from what was seen last. */
    private Supplier<Number> seen(ToDoubleFunction<Seen> value) {
        return () -> {
            Seen seen = figures.now();
            return seen == null ? Double.NaN : value.applyAsDouble(seen);
        };
    }

    private static Tags tag(String name, String value) {
        return Tags.of(name, value);
    }
}
