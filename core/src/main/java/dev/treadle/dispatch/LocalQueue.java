package dev.treadle.dispatch;

import dev.treadle.dispatch.FairOrder.Account;
import dev.treadle.job.HistoryEntry.Event;
import dev.treadle.lifecycle.Transition;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of one queue on this node: how many are held, which wait for a permit, and how many may run. Thread-safe.
 */
final class LocalQueue {
    private final QueueConfig settings;
    private final @Nullable Permits own;
    private final Queue<AttemptTask> waiting = new ConcurrentLinkedQueue<>();
    /** Claimed and not yet written down. */
    private final AtomicInteger held = new AtomicInteger();

    /** Jobs that arrived here, since the start. */
    private final AtomicLong claimed = new AtomicLong();
    /** Attempts that ended well and badly. Written by the recording thread only. */
    private final AtomicLong completed = new AtomicLong();

    private final AtomicLong failed = new AtomicLong();
    private final Prefetch prefetch;
    private final Account claims;
    private final Account starts;
    private final InstantSource time;
    /** When a job was last started, or began to wait. */
    private volatile Instant lastStart;

    LocalQueue(QueueConfig settings, InstantSource time) {
        this.settings = settings;
        this.own = settings.limit() == null ? null : new Permits(settings.limit());
        this.prefetch = new Prefetch(time);
        this.claims = new Account(settings.weight());
        this.starts = new Account(settings.weight());
        this.time = time;
        this.lastStart = time.instant();
    }

    String queue() {
        return settings.queue();
    }

    WorkerPool crew() {
        return settings.crew();
    }

    /** How many of its jobs may run here at once; null if only the executor's permits say. */
    @Nullable
    Integer limit() {
        return settings.limit();
    }

    int weight() {
        return settings.weight();
    }

    Account claims() {
        return claims;
    }

    Account starts() {
        return starts;
    }

    Queue<AttemptTask> waiting() {
        return waiting;
    }

    void arrived() {
        held.incrementAndGet();
    }

    void count(Transition ending) {
        if (ending.event() == Event.COMPLETED) {
            completed.incrementAndGet();
        } else if (ending.event() == Event.THREW) {
            failed.incrementAndGet();
        }
    }

    QueueStats state() {
        return new QueueStats(
                queue(),
                crew().name(),
                held.get(),
                waiting.size(),
                limit(),
                weight(),
                claimed.get(),
                completed.get(),
                failed.get());
    }

    void countClaimed() {
        claimed.incrementAndGet();
    }

    void written() {
        held.decrementAndGet();
    }

    /** How many of its jobs are claimed and not yet written down. */
    int held() {
        return held.get();
    }

    /** A job has begun, or the first one waits. */
    void startedOne() {
        lastStart = time.instant();
    }

    void endedOne() {
        prefetch.oneEnded();
    }

    /** How many of its jobs have ended here. */
    long ended() {
        return prefetch.ended();
    }

    long millisSinceLastStart() {
        return Duration.between(lastStart, time.instant()).toMillis();
    }

    boolean mayStart() {
        return own == null || own.taken() < own.total();
    }

    boolean tryTakeOwn() {
        return own == null || own.tryTake();
    }

    void giveBackOwn() {
        if (own != null) {
            own.giveBack();
        }
    }

    /** How many jobs it may hold: as many as may run, and those that short jobs make it claim ahead. */
    private int capacity() {
        int run = crew().permits().ceiling();
        return (own == null ? run : Math.min(run, own.total())) + prefetch.jobs();
    }

    /**
     * How many more jobs to claim for it.
     *
     * @param roomOfCrew how many more its executor has room for
     * @return 0 if that is not worth a query
     */
    int room(int roomOfCrew) {
        int capacity = capacity();
        int room = Math.min(capacity - held.get(), roomOfCrew);
        return room > 0 && (waiting.isEmpty() || room >= capacity / 4) ? room : 0;
    }

    /** What it adds to what may be claimed ahead for its executor. What is ahead of a limit is in nobody's way. */
    int shareAhead() {
        return own == null ? prefetch.jobs() : 0;
    }

    /** How much it takes of its executor's room: what waits for its own limit takes none. */
    int shareHeld() {
        return own == null ? held.get() : Math.min(held.get(), own.total());
    }
}
