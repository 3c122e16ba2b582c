package dev.treadle.testing;

import dev.treadle.job.JobId;
import dev.treadle.job.JobInterceptor;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Runs jobs on the thread that enqueues them, if a test wants that. Thread-safe. */
final class InlineRuns implements JobInterceptor {
    /** Threads that run jobs now. What those jobs enqueue runs after them, on the same thread. */
    private final Set<Thread> running = ConcurrentHashMap.newKeySet();

    private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
    private volatile @Nullable Runnable drain;

    /** From now on every enqueue ends with this. */
    void begin(Runnable drain) {
        this.drain = drain;
    }

    /** Runs jobs on this thread. */
    int run(IntSupplier jobs) {
        boolean outermost = running.add(Thread.currentThread());
        try {
            return jobs.getAsInt();
        } finally {
            if (outermost) {
                running.remove(Thread.currentThread());
            }
        }
    }

    @Override
    public void onEnqueued(List<JobId> ids) {
        Runnable now = drain;
        if (now == null || running.contains(Thread.currentThread())) {
            return;
        }
        try {
            now.run();
        } catch (RuntimeException e) {
            // the caller of enqueue would not see it: the job is stored, so interceptors cannot fail the call
            failure.compareAndSet(null, e);
            throw e;
        }
    }

    /** @throws IllegalStateException if jobs could not be run when they were enqueued */
    void rethrow() {
        RuntimeException thrown = failure.getAndSet(null);
        if (thrown != null) {
            throw new IllegalStateException(
                    "Jobs could not be run when they were enqueued: "
                            + Objects.requireNonNullElse(thrown.getMessage(), ""),
                    thrown);
        }
    }
}
