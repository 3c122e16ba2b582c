package dev.treadle.engine;

import dev.treadle.job.EnqueueResult;
import dev.treadle.job.JobId;
import dev.treadle.lifecycle.UniqueTerms;
import dev.treadle.server.JobServer;
import dev.treadle.server.ServerState;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.StorageProvider;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The server of one Treadle: there may be none yet, and after it was closed another may be started. While there is one,
 * jobs are inserted through it, so that they can start at once. Thread-safe.
 */
public final class LocalServer implements AutoCloseable {
    private final @Nullable Startable startable;
    private final ReentrantLock lifecycle = new ReentrantLock();
    private volatile @Nullable JobServer latest;
    /** For the first start; later ones choose again. Guarded by {@link #lifecycle}, like the next field. */
    private @Nullable ChosenExecutors chosen;

    private boolean closed;

    /**
     * What it takes to start a server.
     *
     * @param storage  where jobs go while there is none
     * @param choosing chooses executors, which serve one server each
     */
    private record Startable(
            StorageProvider storage,
            Supplier<ChosenExecutors> choosing,
            Function<ChosenExecutors, DefaultJobServer> starting) {}

    private LocalServer(@Nullable Startable startable, @Nullable ChosenExecutors chosen, @Nullable JobServer latest) {
        this.startable = startable;
        this.chosen = chosen;
        this.latest = latest;
    }

    /** Of a Treadle that only enqueues. */
    public static LocalServer none() {
        return new LocalServer(null, null, null);
    }

    /** One that takes its turns by hand. */
    public static LocalServer of(ManualJobServer server) {
        return new LocalServer(null, null, server);
    }

    /**
     * One that {@link #start} starts. Its executors are chosen here for the first time, so that a choice that is impossible
     * is refused early.
     */
    public static LocalServer of(
            StorageProvider storage,
            Supplier<ChosenExecutors> choosing,
            Function<ChosenExecutors, DefaultJobServer> starting) {
        return new LocalServer(new Startable(storage, choosing, starting), choosing.get(), null);
    }

    /** Starts a server. */
    public JobServer start() {
        lifecycle.lock();
        try {
            JobServer before = latest;
            if (closed) {
                throw new IllegalStateException("This Treadle is closed. Build another one.");
            }
            if (before != null && before.state() != ServerState.STOPPED) {
                throw new IllegalStateException("The server of this Treadle is " + before.state()
                        + ". Close it, and start another one when it has stopped.");
            }
            if (startable == null) {
                throw new IllegalStateException(
                        "This Treadle has no server to start: build it with Treadle.on(…).build() or start().");
            }
            ChosenExecutors executors = chosen == null ? startable.choosing.get() : chosen;
            chosen = null;
            DefaultJobServer started = startable.starting.apply(executors);
            latest = started;
            return started;
        } finally {
            lifecycle.unlock();
        }
    }

    /** The server that was started last. */
    public Optional<JobServer> latest() {
        return Optional.ofNullable(latest);
    }

    private @Nullable DefaultJobServer running() {
        return latest instanceof DefaultJobServer server ? server : null;
    }

    /** As {@link DefaultJobServer#insert}. */
    public Set<JobId> insert(List<NewJob> jobs) {
        DefaultJobServer server = running();
        return server == null ? storage().insert(jobs) : server.insert(jobs);
    }

    /** As {@link DefaultJobServer#insertUnique}. */
    public EnqueueResult insertUnique(NewJob job, UniqueTerms.Asked asked) {
        DefaultJobServer server = running();
        return server == null ? storage().insertUnique(job, asked) : server.insertUnique(job, asked);
    }

    private StorageProvider storage() {
        return Objects.requireNonNull(startable, "Only what can be started inserts.").storage;
    }

    /** As {@link DefaultJobServer#nudge}. */
    public void nudge() {
        JobServer server = latest;
        if (server != null) {
            server.nudge();
        }
    }

    /** As {@link DefaultJobServer#nudgeStops}. */
    public void nudgeStops() {
        DefaultJobServer server = running();
        if (server != null) {
            server.nudgeStops();
        }
    }

    /** As {@link DefaultJobServer#nudgeGates}. */
    public void nudgeGates() {
        DefaultJobServer server = running();
        if (server != null) {
            server.nudgeGates();
        }
    }

    /** As {@link DefaultJobServer#queuesChanged}. */
    public void queuesChanged() {
        DefaultJobServer server = running();
        if (server != null) {
            server.queuesChanged();
        }
    }

    /** Closes the server, if there is one. From now on none can be started. */
    @Override
    public void close() {
        JobServer last;
        lifecycle.lock();
        try {
            closed = true;
            last = latest;
        } finally {
            lifecycle.unlock();
        }
        if (last != null) {
            last.close();
        }
    }
}
