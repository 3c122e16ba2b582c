package dev.treadle.engine;

import dev.treadle.outcome.JobWaiters;
import dev.treadle.storage.StorageProvider;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/** Looks for jobs that callers in this process wait for, from the first such caller on. Thread-safe. */
public final class AwaitLoop implements AutoCloseable {
    /** How long closing waits for the present look, in milliseconds. */
    private static final long LOOK_MILLIS_MAX = 5_000;

    private final Loop loop = new Loop("await");
    private final AtomicBoolean started = new AtomicBoolean();
    private final JobWaiters awaited;

    /** Starts nothing yet. */
    public AwaitLoop(StorageProvider storage) {
        this.awaited = new JobWaiters(storage, this::nudge);
    }

    /** The jobs that are awaited. */
    public JobWaiters awaited() {
        return awaited;
    }

    private void nudge() {
        if (started.compareAndSet(false, true)) {
            loop.startDaemon(awaited::turn);
        }
        loop.nudge();
    }

    @Override
    public void close() {
        awaited.close();
        loop.closeSoon();
        try {
            // its present look must not meet a storage that is closed
            loop.awaitEnd(Duration.ofMillis(LOOK_MILLIS_MAX));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
