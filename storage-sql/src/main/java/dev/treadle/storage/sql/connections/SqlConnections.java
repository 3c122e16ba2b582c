package dev.treadle.storage.sql.connections;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.sql.session.ConnectionSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one storage, by what they are for. Those for heartbeats, for endings and for hearing of new jobs are
 * set aside while a server runs, because the others may all be held by users' code (ADR 22). Thread-safe.
 */
public final class SqlConnections implements AutoCloseable {
    /** For heartbeats, for endings, and for hearing of new jobs. */
    static final int SET_ASIDE = 3;
    /** The least that a storage can do with of its own: those, one for all else while it is quiet, and one more. */
    public static final int OWN_MIN = SET_ASIDE + 2;
    /** Connections of the pool that jobs leave to all else, such as claims and what the jobs themselves ask. */
    private static final int NOT_FOR_JOBS = 2;
    /** Fewer in a pool of the user's, and nothing is set aside: too little would be left for all else. */
    private static final int POOL_MIN = OWN_MIN;
    /** A connection of ours that is set aside and not used for so long is closed. */
    private static final Duration IDLE_MAX = Duration.ofSeconds(30);

    private final DataSource pool;
    private final @Nullable HikariDataSource ownPool;
    private final DataSource single;
    private final ConnectionSource all;
    private final ConnectionSource hearing;
    private final @Nullable KeptConnection one;
    private final KeptConnection beats;
    private final KeptConnection endings;
    private final boolean setsAside;
    /** Servers that run on this storage. */
    private final AtomicInteger servers = new AtomicInteger();

    private SqlConnections(
            DataSource pool,
            @Nullable DirectConnections direct,
            @Nullable HikariDataSource ownPool,
            boolean setsAside) {
        this.pool = pool;
        this.ownPool = ownPool;
        this.single = direct == null ? pool : direct;
        ConnectionSource many = new PooledConnectionSource(pool, ownPool != null);
        this.hearing = direct == null ? many : new PooledConnectionSource(direct, false);
        this.beats = new KeptConnection(hearing, many);
        this.endings = new KeptConnection(hearing, many);
        // those of H2 cost nothing
        this.one = direct != null && direct.isServer() ? new KeptConnection(hearing, many) : null;
        this.all = one == null
                ? many
                : new AdaptiveConnectionSource(one, many, () -> closeIdle(ownPool), System::nanoTime);
        this.setsAside = setsAside;
    }

    /**
     * Those of a pool that the user brings.
     *
     * @throws IllegalArgumentException if it hands out connections with transactions of the application
     */
    public static SqlConnections of(DataSource pool) {
        OwnedConnections.mustBeOwned(pool);
        return new SqlConnections(pool, null, null, poolMax(pool) >= POOL_MIN);
    }

    /** Opens a pool of connections to a URL, and opens what is set aside beside it. */
    public static SqlConnections open(DirectConnections direct, int connectionsMax, Duration connectionWait)
            throws SQLException {
        int max = connectionsMax - SET_ASIDE - (direct.isServer() ? 1 : 0);
        HikariDataSource pool = OwnPool.open(direct, max, connectionWait);
        SqlConnections connections = new SqlConnections(pool, direct, pool, true);
        if (connections.one != null) {
            connections.one.keep();
        }
        return connections;
    }

    private static void closeIdle(@Nullable HikariDataSource pool) {
        if (pool != null) {
            pool.getHikariPoolMXBean().softEvictConnections();
        }
    }

    private static int poolMax(DataSource pool) {
        HikariDataSource hikari = PooledConnectionSource.hikariOf(pool);
        return hikari == null ? Integer.MAX_VALUE : hikari.getMaximumPoolSize();
    }

    public boolean areOurs() {
        return ownPool != null;
    }

    /** What is dangerous about the pool, one sentence each with its remedy. */
    public List<String> warnings() {
        return setsAside
                ? List.of()
                : List.of("The pool has " + poolMax(pool) + " connections, too few to set some aside for heartbeats and"
                        + " endings: when users' code holds them all for longer than deadAfter, other nodes take this one"
                        + " for dead. Let it have " + POOL_MIN + " or more.");
    }

    /** Most connections of the pool that transactions of jobs may hold at once. */
    public int forJobsMax() {
        int lent = ownPool == null && setsAside ? SET_ASIDE : 0;
        return Math.max(1, poolMax(pool) - lent - NOT_FOR_JOBS);
    }

    /** The pool, for transactions of jobs. */
    public DataSource pool() {
        return pool;
    }

    /** A connection of the pool, for looking at the database and making its tables. */
    public Connection first() throws SQLException {
        return OwnedConnections.free(pool);
    }

    /** Where others beside {@link #first} come from. */
    public DataSource others() {
        return single;
    }

    public ConnectionSource forAll() {
        return all;
    }

    public ConnectionSource forBeats() {
        return beats;
    }

    public ConnectionSource forEndings() {
        return endings;
    }

    public ConnectionSource forHearing() {
        return hearing;
    }

    /**
     * A server begins to run on this storage. Of a pool of the user's, what is set aside is taken now, before users' code
     * holds it all; what is ours can be had at any time.
     *
     * @throws StorageException if the pool has no connection to give
     */
    public void serve() {
        servers.incrementAndGet();
        try {
            setAside();
        } catch (SQLException e) {
            serveNoMore();
            throw new StorageException("Cannot set connections aside: " + e.getMessage(), e, true);
        }
    }

    private void setAside() throws SQLException {
        if (setsAside) {
            beats.keep();
            endings.keep();
            if (!areOurs()) {
                beats.take();
                endings.take();
            }
        }
    }

    public void serveNoMore() {
        if (servers.decrementAndGet() == 0) {
            beats.letGo();
            endings.letGo();
        }
    }

    /** Closes what is ours and rests; called with each heartbeat. */
    public void rest() {
        if (areOurs()) {
            endings.letGoAfter(IDLE_MAX);
        }
    }

    @Override
    public void close() {
        if (one != null) {
            one.letGo();
        }
        beats.letGo();
        endings.letGo();
        if (ownPool != null) {
            ownPool.close();
        }
    }
}
