package dev.treadle.storage.sql.connections;

import dev.treadle.storage.sql.session.ConnectionSource;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

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
    /**
     * Connections of the pool that were not needed for so long are closed, in nanoseconds. Why not at once: calls wait in
     * an overloaded database too, and opening a connection costs it more than most statements do.
     */
    static final long KEEP_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final KeptConnection one;
    private final ConnectionSource pool;
    private final Runnable closeIdle;
    private final LongSupplier nanoClock;
    private final AtomicInteger calls = new AtomicInteger();
    private volatile long secondBeganNanos;
    /** When the pool lent for the last time. */
    private volatile long poolLentNanos;

    private volatile boolean wasQuiet = true;
    /** Whether the pool may have connections; it has one at first, with which the database was opened. */
    private volatile boolean poolOpen = true;

    /** @param closeIdle closes unused connections of the pool */
    AdaptiveConnectionSource(KeptConnection one, ConnectionSource pool, Runnable closeIdle, LongSupplier nanoClock) {
        this.one = one;
        this.pool = pool;
        this.closeIdle = closeIdle;
        this.nanoClock = nanoClock;
        this.secondBeganNanos = nanoClock.getAsLong();
        this.poolLentNanos = secondBeganNanos - KEEP_NANOS;
    }

    @Override
    public Loan lend() throws SQLException {
        Loan loan = one.lendWithin(isQuiet() ? PATIENCE_MILLIS : 0);
        if (loan != null) {
            return loan;
        }
        poolLentNanos = nanoClock.getAsLong();
        poolOpen = true;
        return pool.lend();
    }

    /** Two threads that begin a new second at once do no harm: some calls are not counted. */
    private boolean isQuiet() {
        long now = nanoClock.getAsLong();
        if (now - secondBeganNanos > SECOND) {
            wasQuiet = calls.get() <= QUIET_CALLS_MAX || now - secondBeganNanos > 2 * SECOND;
            secondBeganNanos = now;
            calls.set(0);
            if (wasQuiet && poolOpen && now - poolLentNanos > KEEP_NANOS) {
                poolOpen = false;
                closeIdle.run();
            }
        }
        return calls.incrementAndGet() <= QUIET_CALLS_MAX && wasQuiet;
    }
}
