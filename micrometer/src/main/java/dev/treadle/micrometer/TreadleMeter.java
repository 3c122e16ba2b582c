package dev.treadle.micrometer;

import io.micrometer.core.instrument.Meter.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The meters that {@link TreadleMetrics} and {@link EnqueuedJobs} register: their names, tags and units. */
public enum TreadleMeter {
    /** Jobs in each state. */
    JOBS("treadle.jobs", Type.GAUGE, null, "Jobs in each state", "state"),
    /** Depth of a queue. */
    QUEUE_WAITING("treadle.queue.waiting", Type.GAUGE, null, "Jobs that may run now and have not begun", "queue"),
    /** Age of the head of a queue. */
    QUEUE_OLDEST(
            "treadle.queue.oldest", Type.GAUGE, "seconds", "For how long the oldest of those has been due", "queue"),
    /** Whether a queue is paused. */
    QUEUE_PAUSED("treadle.queue.paused", Type.GAUGE, null, "1 if the queue is paused", "queue"),
    /** The level of the verdict. */
    HEALTH("treadle.health", Type.GAUGE, null, "1 for the level of the verdict", "level"),
    /** What the verdict found. */
    PROBLEM("treadle.problem", Type.GAUGE, null, "1 for each problem of the verdict", "rule"),
    /** Jobs that run on this server. */
    SERVER_RUNNING("treadle.server.running", Type.GAUGE, null, "Jobs that run on this server"),
    /** Jobs claimed and not recorded. */
    SERVER_IN_FLIGHT("treadle.server.in.flight", Type.GAUGE, null, "Jobs claimed by this server and not yet recorded"),
    /** Permits of the executors. */
    SERVER_WORKERS(
            "treadle.server.workers", Type.GAUGE, null, "Jobs that the executors of this server could run at once"),
    /** Permits that the heap guard leaves. */
    SERVER_ADMITTED(
            "treadle.server.admitted", Type.GAUGE, null, "Jobs that the heap guard lets this server run at once"),
    /** Live heap, as the heap guard sees it. */
    HEAP_LIVE(
            "treadle.heap.guard.live",
            Type.GAUGE,
            "bytes",
            "How much of the heap was live after the last collections; 0 without a heap guard"),
    /** How often the heap guard lowered its limit. */
    HEAP_LOWERED(
            "treadle.heap.guard.lowered", Type.COUNTER, null, "How often the heap guard let fewer jobs run at once"),
    /** How often the heap guard raised its limit. */
    HEAP_RAISED("treadle.heap.guard.raised", Type.COUNTER, null, "How often the heap guard let more jobs run at once"),
    /** Claims of a queue. */
    CLAIMED("treadle.server.claimed", Type.COUNTER, null, "Jobs that this server has claimed", "queue"),
    /** Ended attempts of a queue. */
    ATTEMPTS(
            "treadle.server.attempts",
            Type.COUNTER,
            null,
            "Attempts that ended on this server: completed, or failed if they threw",
            "queue",
            "outcome"),
    /** Permits of a resource. */
    RESOURCE_PERMITS(
            "treadle.resource.permits", Type.GAUGE, null, "Permits of a resource; 0 if none are set", "resource"),
    /** Held permits of a resource. */
    RESOURCE_USED("treadle.resource.used", Type.GAUGE, null, "Permits of a resource that are held", "resource"),
    /** Who waits for a resource. */
    RESOURCE_WAITING(
            "treadle.resource.waiting",
            Type.GAUGE,
            null,
            "Running jobs, and lanes of waiting jobs, that wait for permits of a resource",
            "resource"),
    /** Jobs that this process has enqueued. */
    ENQUEUED("treadle.jobs.enqueued", Type.COUNTER, null, "Jobs that this process has enqueued and that are stored");

    private final String id;
    private final Type type;
    private final @Nullable String unit;
    private final String description;
    private final List<String> tags;

    TreadleMeter(String id, Type type, @Nullable String unit, String description, String... tags) {
        this.id = id;
        this.type = type;
        this.unit = unit;
        this.description = description;
        this.tags = List.of(tags);
    }

    /** Its name as Micrometer writes it, such as {@code treadle.queue.waiting}. */
    public String id() {
        return id;
    }

    /** What kind of meter it is. */
    public Type type() {
        return type;
    }

    /** Its unit; null if it has none. */
    public @Nullable String unit() {
        return unit;
    }

    /** What it means. */
    public String description() {
        return description;
    }

    /** The names of its tags, beside those of the application. */
    public List<String> tags() {
        return tags;
    }
}
