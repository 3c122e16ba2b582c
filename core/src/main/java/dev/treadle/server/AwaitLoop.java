package dev.treadle.server;

import dev.treadle.outcome.Awaited;
import dev.treadle.storage.StorageProvider;
import java.util.concurrent.atomic.AtomicBoolean;

/** Looks for jobs that somebody in this process waits for, from the first time that anybody does. Thread-safe. */
public final class AwaitLoop implements AutoCloseable {
    private final Loop loop = new Loop("await");
    private final AtomicBoolean started = new AtomicBoolean();
    private final Awaited awaited;

    /** Starts nothing yet. */
    public AwaitLoop(StorageProvider storage) {
        this.awaited = new Awaited(storage, this::nudge);
    }

    /** The jobs that are awaited. */
    public Awaited awaited() {
        return awaited;
    }

    private void nudge() {
        if (started.compareAndSet(false, true)) {
            loop.start(awaited::turn, true);
        }
        loop.nudge();
    }

    @Override
    public void close() {
        awaited.close();
        loop.closeSoon();
    }
}
