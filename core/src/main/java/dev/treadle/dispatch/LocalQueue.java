package dev.treadle.dispatch;

import dev.treadle.dispatch.FairOrder.Account;
import dev.treadle.job.HistoryEntry.Event;
import dev.treadle.lifecycle.Transition;
import dev.treadle.server.QueueStats;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** One queue on this node: how many of its jobs are held, which wait for a permit, and how many may run. Thread-safe. */
final class LocalQueue {
    private final QueueConfig config;
    private final @Nullable Permits own;
    private final Queue<AttemptTask> waiting = new ConcurrentLinkedQueue<>();
    /** Jobs that are claimed and whose ending is not recorded yet. */
    private final AtomicInteger held = new AtomicInteger();
    /** How many of those take no room: a chunk that runs takes as much as one job. */
    private final AtomicInteger aside = new AtomicInteger();

    /** Jobs claimed since the server started. */
    private final AtomicLong claimed = new AtomicLong();
    /** Attempts that completed, and below those that threw. Written by the recording thread only. */
    private final AtomicLong completed = new AtomicLong();

    private final AtomicLong failed = new AtomicLong();
    private final Prefetch prefetch;
    private final Account claims;
    private final Account starts;
    private final InstantSource time;
    /** When a job last started, or when the first one began to wait. */
    private volatile Instant lastStart;

    LocalQueue(QueueConfig config, InstantSource time) {
        this.config = config;
        this.own = config.limit() == null ? null : new Permits(config.limit());
        this.prefetch = new Prefetch(time);
        this.claims = new Account(config.weight());
        this.starts = new Account(config.weight());
        this.time = time;
        this.lastStart = time.instant();
    }

    String name() {
        return config.queue();
    }

    WorkerPool pool() {
        return config.pool();
    }

    /** How many of its jobs may run here at once; null if only the executor's permits limit them. */
    @Nullable
    Integer limit() {
        return config.limit();
    }

    int weight() {
        return config.weight();
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

    /** A job waits for a permit. Tries until it succeeds, because the job counts as in flight already. */
    void addWaiting(AttemptTask task) {
        while (true) {
            try {
                waiting.add(task);
                return;
            } catch (OutOfMemoryError e) {
                NoMemory.rest();
            }
        }
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

    QueueStats stats() {
        return new QueueStats(
                name(),
                pool().name(),
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

    void recorded() {
        held.decrementAndGet();
    }

    /** How much of its room is taken by jobs that are claimed and whose ending is not recorded yet. */
    int held() {
        return held.get() - aside.get();
    }

    /** So many more of the jobs it holds take no room. */
    void countAside(int jobs) {
        aside.addAndGet(jobs);
    }

    /** A job has started, or the first one has begun to wait. */
    void startedOne() {
        lastStart = time.instant();
    }

    void endedOne() {
        prefetch.oneEnded();
    }

    /** How many of its attempts have ended here. */
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

    /** How many jobs it may hold: as many as may run, plus those claimed ahead because jobs are short. */
    private int capacity() {
        int run = pool().permits().ceiling();
        return (own == null ? run : Math.min(run, own.total())) + prefetch.jobs();
    }

    /**
     * How many more jobs to claim for it.
     *
     * @param poolRoom how many more jobs its executor has room for
     * @return 0 if the room is not worth a query
     */
    int room(int poolRoom) {
        int capacity = capacity();
        int room = Math.min(capacity - held(), poolRoom);
        return room > 0 && (waiting.isEmpty() || room >= capacity / 4) ? room : 0;
    }

    /** Its share of the jobs claimed ahead for its executor. Jobs ahead of a limit of its own do not count. */
    int shareAhead() {
        return own == null ? prefetch.jobs() : 0;
    }

    /** How much of its executor's room it uses: jobs that wait for its own limit use none. */
    int shareHeld() {
        return own == null ? held() : Math.min(held(), own.total());
    }
}
