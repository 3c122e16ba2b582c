package dev.treadle.micrometer;

import dev.treadle.Treadle;
import dev.treadle.health.HealthProblem.Rule;
import dev.treadle.health.Verdict;
import dev.treadle.job.QueueState;
import dev.treadle.job.StateName;
import dev.treadle.storage.admin.AdminStorage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the storage says of jobs and queues, for meters. It is asked only when a meter is read, at most once per interval
 * however many meters and readers there are, and on a thread of its own: a storage that does not answer holds up a reader
 * for a second at most. Thread-safe.
 */
final class StorageFigures {
    /** How long a reader waits for an answer. */
    static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final long THREAD_RESTS_SECONDS = 10;
    private static final Logger LOG = LoggerFactory.getLogger(StorageFigures.class);

    private final Treadle treadle;
    private final long intervalNanos;
    private final Consumer<Seen> seen;
    private final ThreadPoolExecutor threads;
    private final ReentrantLock lock = new ReentrantLock();
    /** The last question, which may be under way; null before the first. Guarded by {@link #lock}. */
    private @Nullable CompletableFuture<Seen> asked;
    /** Guarded by {@link #lock}. */
    private long askedAt;

    /**
     * What was seen.
     *
     * @param verdict what is wrong
     * @param counts  jobs in each state; null if the storage did not answer
     * @param queues  every queue; empty if it did not
     */
    record Seen(Verdict verdict, @Nullable Map<StateName, Long> counts, List<QueueState> queues) {}

    /** @param seen called after each answer, on the thread that asked */
    StorageFigures(Treadle treadle, Duration interval, Consumer<Seen> seen) {
        this.treadle = treadle;
        this.intervalNanos = interval.toNanos();
        this.seen = seen;
        this.threads = new ThreadPoolExecutor(
                1, 1, THREAD_RESTS_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "treadle-metrics");
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    /** Asks, if nothing was asked for an interval, and does not wait for the answer. */
    void ask() {
        question();
    }

    /** The last answer, asked for anew if it is older than the interval; null if none comes in time. */
    @Nullable
    Seen now() {
        CompletableFuture<Seen> question;
        long waitNanos;
        lock.lock();
        try {
            question = question();
            // all meters of one scrape wait together, not one after the other
            waitNanos = PATIENCE.toNanos() - (System.nanoTime() - askedAt);
        } finally {
            lock.unlock();
        }
        try {
            return question.isDone() || waitNanos > 0
                    ? question.get(Math.max(1, waitNanos), TimeUnit.NANOSECONDS)
                    : null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } catch (ExecutionException | TimeoutException e) {
            // a failure was logged by the thread that asked
            return null;
        }
    }

    private CompletableFuture<Seen> question() {
        lock.lock();
        try {
            CompletableFuture<Seen> last = asked;
            if (last != null && (!last.isDone() || System.nanoTime() - askedAt < intervalNanos)) {
                return last;
            }
            askedAt = System.nanoTime();
            CompletableFuture<Seen> next = CompletableFuture.supplyAsync(this::look, threads);
            asked = next;
            return next;
        } finally {
            lock.unlock();
        }
    }

    private Seen look() {
        Seen now = answer();
        try {
            seen.accept(now);
        } catch (RuntimeException e) {
            LOG.warn("Meters of new queues could not be registered.", e);
        }
        return now;
    }

    private Seen answer() {
        Verdict verdict = treadle.health(PATIENCE);
        boolean answers = verdict.problems().stream().noneMatch(problem -> problem.rule() == Rule.STORAGE_DOWN);
        if (answers) {
            try {
                AdminStorage storage = AdminStorage.of(treadle.storage());
                return new Seen(
                        verdict, storage.search().counts(), storage.queues().states());
            } catch (RuntimeException e) {
                // between two questions it went away: the verdict will say so at the next look
                LOG.debug("The storage did not answer.", e);
            }
        }
        return new Seen(verdict, null, List.of());
    }
}
