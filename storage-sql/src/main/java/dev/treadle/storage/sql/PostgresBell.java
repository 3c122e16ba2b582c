package dev.treadle.storage.sql;

import dev.treadle.job.NodeId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the processes on one PostgreSQL that jobs have become due, with LISTEN and NOTIFY. Nothing depends on it: whoever
 * hears nothing, as behind a pool that shares sessions, finds the jobs at its next poll.
 *
 * <p>It rings after the commit, because a NOTIFY inside the enqueuing transactions would make their commits wait for each
 * other; only after {@value #QUIET_MILLIS} ms of quiet it is part of one. A thread of its own rings, at most every
 * {@value #REST_MILLIS} ms. Who hears in this process is told directly, and while no other process has a node there is no
 * ring at all. A hearer keeps one connection.
 */
final class PostgresBell implements AutoCloseable {
    /** The least time between two rings of this process, in milliseconds. */
    static final long REST_MILLIS = 2;
    /** After so long without a ring the next goes with the statement that keeps a job, in milliseconds. */
    static final long QUIET_MILLIS = 20;

    private static final String CHANNEL = "treadle_due";
    /** Alone in its transaction it writes nothing that PostgreSQL would wait for the disk with. */
    private static final String RING = "select pg_notify('" + CHANNEL + "', '')";
    /** How long one wait for rings lasts, in milliseconds: an end to it is needed only for closing. */
    private static final int HEAR_MILLIS = 500;
    /** How often the hearer asks whether its server still takes writes, in milliseconds. */
    private static final long ASK_MILLIS = 5_000;
    /** The rest after the connection was lost, in milliseconds. */
    private static final long LOST_MILLIS = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(PostgresBell.class);

    private final Lender forRings;
    private final Lender forHearing;
    private final Hearers hearers;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final AtomicBoolean rung = new AtomicBoolean();
    private final AtomicBoolean ringing = new AtomicBoolean();
    private final AtomicLong lastRungNanos = new AtomicLong(System.nanoTime() - QUIET_MILLIS * 1_000_000);
    private final AtomicBoolean hearing = new AtomicBoolean();
    private volatile @Nullable Thread ringer;
    private volatile @Nullable Thread hearer;
    private volatile boolean closed;

    /**
     * @param forRings   lends a connection for each ring
     * @param forHearing lends the connection that a hearer keeps, in a session of its own
     * @param hearers    the statement that finds nodes of others
     */
    PostgresBell(Lender forRings, Lender forHearing, String hearers) {
        this.forRings = forRings;
        this.forHearing = forHearing;
        this.hearers = new Hearers(hearers);
    }

    /**
     * A ring for the statement that keeps jobs which are due, if it has been quiet: the shortest way to other processes.
     * Those who ring like that wait for each other's commits, so it is for the first after a rest alone.
     *
     * @return null if it was not quiet, or nobody hears; if not null, {@link #rang} is to follow the commit
     */
    @Nullable
    Ring ringWithin() {
        long last = lastRungNanos.get();
        long now = System.nanoTime();
        boolean quiet = now - last >= QUIET_MILLIS * 1_000_000;
        return quiet && !hearers.areKnownToBeNone() && lastRungNanos.compareAndSet(last, now) ? hearers.ring() : null;
    }

    /** The statement that held the ring has been committed. */
    void rang(Ring ring) {
        tellHere();
        hearers.answered(ring);
    }

    /** A node of this process, for which nobody has to ring. */
    void isHeardBy(NodeId node) {
        hearers.isHere(node);
    }

    /** That node has left. */
    void isHeardNoMoreBy(NodeId node) {
        hearers.isNoLongerHere(node);
    }

    /** Says that jobs have become due. Returns at once. */
    void ring() {
        tellHere();
        if (hearers.areKnownToBeNone()) {
            return;
        }
        if (ringing.compareAndSet(false, true)) {
            ringer = start("treadle-ring", this::ringAsOftenAsTold);
        }
        if (rung.compareAndSet(false, true)) {
            LockSupport.unpark(ringer);
        }
    }

    /**
     * Tells when any process rings.
     *
     * @return ends that
     */
    Runnable hear(Runnable listener) {
        listeners.add(listener);
        if (hearing.compareAndSet(false, true)) {
            hearer = start("treadle-hear", this::hearUntilClosed);
        }
        return () -> listeners.remove(listener);
    }

    private void tellHere() {
        listeners.forEach(Runnable::run);
    }

    private static Thread start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void ringAsOftenAsTold() {
        // once: what is done again and again after a lack of memory must not need any
        Work ring = this::ring;
        while (!closed) {
            if (rung.getAndSet(false)) {
                // borrowed for each ring, so that a small pool is not one connection smaller for ever
                onConnection(forRings, "ring for", ring);
                lastRungNanos.set(System.nanoTime());
                rest();
            } else {
                LockSupport.park(this);
            }
        }
    }

    private void ring(Connection connection) throws SQLException {
        if (!hearers.areThere(connection)) {
            return;
        }
        try (PreparedStatement notify = connection.prepareStatement(RING)) {
            notify.execute();
        }
    }

    /** Again and again, because whoever tells of the next jobs meanwhile ends the park. */
    private void rest() {
        long until = System.nanoTime() + REST_MILLIS * 1_000_000;
        for (long left; !closed && (left = until - System.nanoTime()) > 0; ) {
            LockSupport.parkNanos(this, left);
        }
    }

    private void hearUntilClosed() {
        Work hear = this::hear;
        while (!closed) {
            onConnection(forHearing, "hear of", hear);
        }
    }

    private void hear(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("listen " + CHANNEL);
            PGConnection postgres = connection.unwrap(PGConnection.class);
            // what rang before this connection listened
            tellHere();
            long askedNanos = System.nanoTime();
            while (!closed) {
                if (System.nanoTime() - askedNanos >= ASK_MILLIS * 1_000_000) {
                    mustTakeWrites(connection);
                    askedNanos = System.nanoTime();
                }
                if (postgres.getNotifications(HEAR_MILLIS).length > 0) {
                    tellHere();
                }
            }
            // the connection may go back to a pool that is not ours
            statement.execute("unlisten " + CHANNEL);
        }
    }

    /** Others ring on the server that takes the writes; besides, this finds out that the connection is gone. */
    private static void mustTakeWrites(Connection connection) throws SQLException {
        if (Rows.onlyText(connection, "show transaction_read_only").equals("on")) {
            throw new SQLException("the server takes no writes any more", SqlFailure.READ_ONLY);
        }
    }

    /** Whatever happens, the thread goes on: a failed allocation must not leave this process deaf. */
    private void onConnection(Lender lender, String what, Work work) {
        try {
            lend(lender, work);
        } catch (SQLException | RuntimeException | Error e) {
            if (!closed) {
                say(what, e);
                LockSupport.parkNanos(this, LOST_MILLIS * 1_000_000);
            }
        }
    }

    private static void lend(Lender lender, Work work) throws SQLException {
        try (Lender.Loan loan = lender.lend()) {
            try {
                loan.connection().setAutoCommit(true);
                work.on(loan.connection());
            } catch (SQLException e) {
                if (SqlFailure.of(e).spoilsConnection()) {
                    loan.discard(SqlFailure.of(e));
                }
                throw e;
            } catch (RuntimeException | Error e) {
                loan.discard(SqlFailure.CONNECTION_LOST);
                throw e;
            }
        }
    }

    private static void say(String what, Throwable failed) {
        try {
            LOG.info("Cannot {} new jobs for now; polling finds them: {}", what, failed.toString());
        } catch (RuntimeException | Error unsaid) {
            // there is no memory even for that; the next failure is told
        }
    }

    /** Ends both threads, and waits for the one that holds a connection. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(ringer);
        Thread ear = hearer;
        if (ear != null) {
            try {
                ear.join(2L * HEAR_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private interface Work {
        void on(Connection connection) throws SQLException;
    }
}
