package dev.treadle.storage.sql.connections;

import dev.treadle.storage.sql.session.ConnectionSource;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lends one connection to all callers in turn while there are few calls, and those of the pool as soon as there are many.
 * Why not the pool alone: it prefers to give each thread the connection that the thread had before, so the few questions of
 * an idle server's many threads would keep all of its connections in use. Thread-safe.
 */
public final class AdaptiveConnectionSource implements ConnectionSource {
    /** Fewer calls than these are few, per second. */
    private static final int QUIET_CALLS_MAX = 50;
    /** How long a call waits for the one connection while it is quiet, in milliseconds; more than a short statement takes. */
    private static final long PATIENCE_MILLIS = 50;
    /** How often the pool's unused connections are closed while there are few calls, in nanoseconds. */
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final KeptConnection one;
    private final ConnectionSource pool;
    private final Runnable closeIdle;
    private final AtomicInteger calls = new AtomicInteger();
    private volatile long secondBeganNanos = System.nanoTime();
    /** For the first time after the first quiet second: opening the database took a connection of the pool. */
    private volatile long closedNanos = secondBeganNanos - CLOSE_NANOS;

    private volatile boolean wasQuiet = true;
    /** Whether the pool had to help out while it was quiet: that connection is closed after the next quiet second. */
    private volatile boolean hadHelp;

    /** @param closeIdle closes unused connections of the pool */
    AdaptiveConnectionSource(KeptConnection one, ConnectionSource pool, Runnable closeIdle) {
        this.one = one;
        this.pool = pool;
        this.closeIdle = closeIdle;
    }

    @Override
    public Loan lend() throws SQLException {
        boolean quiet = isQuiet();
        Loan loan = one.lendWithin(quiet ? PATIENCE_MILLIS : 0);
        if (loan != null) {
            return loan;
        }
        if (quiet) {
            hadHelp = true;
        }
        return pool.lend();
    }

    /** Two threads that begin a new second at once do no harm: some calls are not counted. */
    private boolean isQuiet() {
        long now = System.nanoTime();
        if (now - secondBeganNanos > SECOND) {
            wasQuiet = calls.get() <= QUIET_CALLS_MAX || now - secondBeganNanos > 2 * SECOND;
            secondBeganNanos = now;
            calls.set(0);
            if (wasQuiet && (hadHelp || now - closedNanos > CLOSE_NANOS)) {
                closedNanos = now;
                hadHelp = false;
                closeIdle.run();
            }
        }
        return calls.incrementAndGet() <= QUIET_CALLS_MAX && wasQuiet;
    }
}
