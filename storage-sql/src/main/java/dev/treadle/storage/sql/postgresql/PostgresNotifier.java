package dev.treadle.storage.sql.postgresql;

import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;
import dev.treadle.storage.DueListener;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.sql.portable.Notifier;
import dev.treadle.storage.sql.portable.NotifyWithInsert;
import dev.treadle.storage.sql.rows.LaneIds;
import dev.treadle.storage.sql.session.ConnectionSource;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import dev.treadle.storage.sql.session.StatementTexts;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells the processes on one PostgreSQL that jobs have become due, with LISTEN and NOTIFY. Nothing depends on it: a node
 * that hears nothing, as behind a pool that shares sessions, finds the jobs at its next look.
 *
 * <p>A ring names the nodes that are to take the jobs, and one more that looks after {@value Listeners#SECOND_MILLIS} ms
 * whether they did; the others go on resting. A node that has no room passes the ring on, and after
 * {@value #HOPS_MAX} such nodes all are told.
 *
 * <p>It rings after the commit, because a NOTIFY inside the enqueuing transactions would make their commits wait for each
 * other; only after {@value #QUIET_MILLIS} ms of quiet it is part of one. A thread of its own rings, at most every
 * {@value #REST_MILLIS} ms. Nodes of this process are told directly, and while no other process has a node there is no
 * ring at all. A process with nodes keeps one connection to hear with.
 */
public final class PostgresNotifier implements Notifier {
    /** The least time between two rings of this process, in milliseconds. */
    static final long REST_MILLIS = 2;
    /** After so long without a ring the next goes with the statement that keeps a job, in milliseconds. */
    public static final long QUIET_MILLIS = 20;
    /** After so many nodes without room all are told. */
    static final int HOPS_MAX = 3;
    /** The least time between two rings that this process passes on, in milliseconds. */
    static final long PASS_ON_MILLIS = 20;
    /** For so many jobs is rung where their number is not known. */
    private static final int SEVERAL = 8;

    private final ConnectionSource forRings;
    private final StatementTexts statements;
    private final LaneIds lanes;
    private final Way way;
    private final PeerCheck hearers = new PeerCheck();
    private final Listeners listeners;
    private final AtomicBoolean rung = new AtomicBoolean();
    private final AtomicBoolean ringing = new AtomicBoolean();
    private final AtomicLong lastRungNanos = new AtomicLong(System.nanoTime() - QUIET_MILLIS * 1_000_000);
    private final AtomicLong lastPassedNanos = new AtomicLong(System.nanoTime() - PASS_ON_MILLIS * 1_000_000);
    private final NotificationReader reader;
    private final ReentrantLock lock = new ReentrantLock();
    /** How many jobs by what a ring says of them. Guarded by {@link #lock}, as is the next. */
    private final Map<Rings, Integer> rings = new LinkedHashMap<>();

    private final Set<String> ringsToAll = new LinkedHashSet<>();
    private volatile @Nullable Thread ringer;
    private volatile boolean closed;

    /**
     * How notifications go.
     *
     * @param channel     its name
     * @param withInserts whether a statement that inserts a job can send one
     * @param late        told when another process has committed a transaction that began at this time
     */
    public record Way(String channel, boolean withInserts, Consumer<Instant> late) {}

    /** What rings are put together by. */
    private record Rings(NotifyPayload.Kind kind, @Nullable Integer lane, int hops) {}

    /**
     * @param forRings   lends a connection for each ring
     * @param forHearing lends the connection that a hearer keeps, in a session of its own
     */
    public PostgresNotifier(
            ConnectionSource forRings, ConnectionSource forHearing, StatementTexts statements, LaneIds lanes, Way way) {
        this.forRings = forRings;
        this.statements = statements;
        this.lanes = lanes;
        this.way = way;
        this.listeners = new Listeners(lanes::lane, this::passOn);
        this.reader = new NotificationReader(forHearing, way.channel, listeners, way.late);
    }

    /**
     * A ring for the statement that keeps jobs which are due, if it has been quiet: the shortest way to other processes.
     * Those who ring like that wait for each other's commits, so it is for the first after a rest alone.
     *
     * @return null if it was not quiet, or nobody hears; if not null, {@link #sent} is to follow the commit
     */
    @Override
    public @Nullable NotifyWithInsert withInsert(Lane lane) {
        long last = lastRungNanos.get();
        long now = System.nanoTime();
        boolean quiet = way.withInserts && now - last >= QUIET_MILLIS * 1_000_000;
        return quiet && !hearers.areKnownToBeNone() && lastRungNanos.compareAndSet(last, now)
                ? new NotifyWithInsert(hearers.own(), lanes.of(lane), listeners.isRoomFor(lane))
                : null;
    }

    /** The statement that held the ring has been committed. */
    @Override
    public void sent(NotifyWithInsert ring) {
        listeners.due(lanes.lane(ring.lane()), 1);
        Boolean heard = ring.heard();
        if (heard != null) {
            hearers.answered(heard);
        }
    }

    /** A node of this process, for which nobody has to ring. */
    @Override
    public void nodeIsHere(NodeId node) {
        hearers.isHere(node);
    }

    /** That node has left. */
    @Override
    public void nodeHasLeft(NodeId node) {
        hearers.isNoLongerHere(node);
    }

    /** Says that so many jobs have become due; the lane is null if that is not known. Returns at once. */
    @Override
    public void jobsDue(@Nullable Lane lane, int jobs) {
        int left = listeners.due(lane, jobs);
        ring(new Rings(NotifyPayload.Kind.DUE, lane == null ? null : lanes.known(lane), 0), left);
    }

    /** To those here too: this process does not learn when that transaction is committed. */
    @Override
    public void withCommit(Session session, @Nullable Instant began) throws SQLException {
        ring(
                session.connection(),
                NotifyPayload.due(null, SEVERAL, 0) + NotifyPayload.since(began),
                SEVERAL,
                new Object[0]);
    }

    /** To all: each process has bounds of its own, and a job that waits for its time has no taker. */
    @Override
    public void committedLate(Instant began) {
        listeners.each(listener -> listener.lookWithin(Duration.ZERO));
        ringToAll(NotifyPayload.due(null, 1, 0) + NotifyPayload.since(began));
    }

    /** Says the same to others than those here. */
    @Override
    public void jobDueElsewhere(Lane lane) {
        passOn(new NotifyPayload(NotifyPayload.Kind.DUE, lanes.known(lane), 1, 0, Map.of(), false, ""));
    }

    /** Says that a job becomes due after so long. */
    @Override
    public void jobDueSoon(Duration delay) {
        listeners.each(listener -> listener.dueIn(delay));
        ring(new Rings(NotifyPayload.Kind.SOON, null, 0), (int) delay.toMillis());
    }

    /** Says that something else has changed: all look at once. */
    @Override
    public void changed() {
        listeners.each(listener -> listener.lookWithin(Duration.ZERO));
        ringToAll(NotifyPayload.changed());
    }

    private void passOn(NotifyPayload ring) {
        long last = lastPassedNanos.get();
        long now = System.nanoTime();
        // not more often: the second node looks, and where nobody has room there is nobody to tell
        if (now - last >= PASS_ON_MILLIS * 1_000_000 && lastPassedNanos.compareAndSet(last, now)) {
            if (ring.hops() >= HOPS_MAX) {
                ringToAll(NotifyPayload.due(ring.lane(), ring.number(), ring.hops()));
            } else {
                ring(new Rings(NotifyPayload.Kind.DUE, ring.lane(), ring.hops() + 1), 1);
            }
        }
    }

    private void ring(Rings about, int number) {
        if (hearers.areKnownToBeNone()) {
            return;
        }
        lock.lock();
        try {
            rings.merge(about, number, about.kind == NotifyPayload.Kind.SOON ? Math::min : PostgresNotifier::sum);
        } finally {
            lock.unlock();
        }
        wakeRinger();
    }

    private static int sum(int one, int other) {
        return Math.min(StorageProvider.BATCH_MAX, one + other);
    }

    private void ringToAll(String text) {
        if (hearers.areKnownToBeNone()) {
            return;
        }
        lock.lock();
        try {
            ringsToAll.add(text);
        } finally {
            lock.unlock();
        }
        wakeRinger();
    }

    private void wakeRinger() {
        if (ringing.compareAndSet(false, true)) {
            ringer = BorrowedConnection.thread("treadle-ring", this::ringAsOftenAsTold);
        }
        if (rung.compareAndSet(false, true)) {
            LockSupport.unpark(ringer);
        }
    }

    /**
     * Tells a node when any process rings for it.
     *
     * @return ends that
     */
    @Override
    public Runnable listen(NodeId node, DueListener listener) {
        Runnable end = listeners.add(node, listener);
        reader.start();
        return end;
    }

    /** Whether rings are heard at present. */
    @Override
    public boolean isListening() {
        return reader.isListening();
    }

    private void ringAsOftenAsTold() {
        // once: what is done again and again after a lack of memory must not need any
        BorrowedConnection.Work ring = this::ring;
        BooleanSupplier isClosed = () -> closed;
        while (!closed) {
            if (rung.getAndSet(false)) {
                // borrowed for each ring, so that a small pool is not one connection smaller for ever
                BorrowedConnection.use(forRings, "ring for", isClosed, ring);
                lastRungNanos.set(System.nanoTime());
                rest();
            } else {
                LockSupport.park(this);
            }
        }
    }

    private void ring(Connection connection) throws SQLException {
        Map<Rings, Integer> now;
        Set<String> toAll;
        lock.lock();
        try {
            now = new LinkedHashMap<>(rings);
            toAll = new LinkedHashSet<>(ringsToAll);
            rings.clear();
            ringsToAll.clear();
        } finally {
            lock.unlock();
        }
        for (Map.Entry<Rings, Integer> one : now.entrySet()) {
            hearers.answered(ring(connection, one.getKey(), one.getValue(), hearers.own()));
        }
        for (String text : toAll) {
            try (NamedStatement notify = statements.prepare(connection, SqlStatement.RING_ALL)) {
                notify.setString("text", text);
                notify.execute();
            }
        }
    }

    /** Answers whether there was a node to tell beside those that need no ring. */
    private boolean ring(Connection connection, Rings about, int number, Object[] toldAlready) throws SQLException {
        return about.kind == NotifyPayload.Kind.SOON
                ? ring(connection, NotifyPayload.soon(number), 1, toldAlready)
                : ring(connection, NotifyPayload.due(about.lane, number, about.hops), number, toldAlready);
    }

    private boolean ring(Connection connection, String text, int takersFor, Object[] toldAlready) throws SQLException {
        try (NamedStatement notify = statements.prepare(connection, SqlStatement.RING)) {
            notify.setArray("own_nodes", connection.createArrayOf("int8", toldAlready));
            notify.setInt("jobs", takersFor);
            notify.setString("text", text);
            try (ResultSet row = notify.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        }
    }

    /** Again and again, because the next jobs end the park. */
    private void rest() {
        long until = System.nanoTime() + REST_MILLIS * 1_000_000;
        for (long left; !closed && (left = until - System.nanoTime()) > 0; ) {
            LockSupport.parkNanos(this, left);
        }
    }

    /** Ends both threads, and waits for the one that holds a connection. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(ringer);
        reader.close();
    }
}
