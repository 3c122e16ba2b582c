package dev.treadle.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A primary and a standby that receives its log by streaming replication, both private. The standby can be promoted, and the
 * former primary made the next standby, again and again. For one thread.
 */
public final class PostgresPair implements AutoCloseable {
    private static final String STANDBY = "standby";
    private static final long WAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(120);

    private static final List<String> SETTINGS = List.of(
            // for the standby while it is made
            "wal_keep_size=256MB",
            "wal_retrieve_retry_interval=200ms",
            // what a killed server leaves is in its folder
            "dynamic_shared_memory_type=mmap");

    private final String user;
    private final boolean synchronous;
    private final PrivatePostgres first;
    private PrivatePostgres primary;
    private PrivatePostgres standby;

    private PostgresPair(String user, boolean synchronous, PrivatePostgres primary, PrivatePostgres standby) {
        this.user = user;
        this.synchronous = synchronous;
        this.first = primary;
        this.primary = primary;
        this.standby = standby;
    }

    /**
     * Starts both; returns when the standby receives what the primary writes.
     *
     * @param prefix      what the names of the folders begin with
     * @param user        the superuser, who needs no password
     * @param synchronous whether a commit waits until the standby has it on disk
     * @param settings    of both
     */
    public static PostgresPair start(String prefix, String user, boolean synchronous, List<String> settings) {
        List<String> all = new ArrayList<>(SETTINGS);
        all.addAll(settings);
        PrivatePostgres primary = PrivatePostgres.start(prefix, user, all);
        boolean started = false;
        try {
            PostgresPair pair = new PostgresPair(user, synchronous, primary, primary.another(prefix));
            pair.rejoin();
            started = true;
            return pair;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start a standby", e);
        } finally {
            if (!started) {
                primary.close();
            }
        }
    }

    /** The one that takes writes, or did until it was stopped or killed. */
    public PrivatePostgres primary() {
        return primary;
    }

    /** Both, for applications: the driver looks for the one that takes writes. */
    public String url(String database) {
        int first = Math.min(primary.port(), standby.port());
        int second = Math.max(primary.port(), standby.port());
        return "jdbc:postgresql://127.0.0.1:" + first + ",127.0.0.1:" + second + "/" + database
                + "?targetServerType=primary&user=" + user;
    }

    /** What an operator does who changes the roles: the primary stops as soon as the standby has all, and is followed by it. */
    public void switchOver() {
        primary.stop("fast");
        promote();
    }

    /** The standby takes writes from now on. The former primary has to be stopped or killed before. */
    public void promote() {
        standby.promote();
        PrivatePostgres former = primary;
        primary = standby;
        standby = former;
    }

    /** The one that is not the primary becomes a standby, made anew; returns when it receives what the primary writes. */
    public void rejoin() {
        try {
            standby.follow(primary, STANDBY);
            if (synchronous) {
                execute("alter system set synchronous_standby_names = '" + STANDBY + "'");
                execute("select pg_reload_conf()");
            }
            String state = synchronous ? "sync" : "async";
            await(
                    "the standby receives the log",
                    "select count(*) from pg_stat_replication where state = 'streaming'" + " and sync_state = '" + state
                            + "'");
            await(
                    "nothing is missing there",
                    "select count(*) from pg_stat_replication" + " where replay_lsn >= pg_current_wal_lsn()");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns when the standby has all that is written by now. */
    public void awaitCaughtUp() {
        try {
            String now = text("select pg_current_wal_flush_lsn()");
            await("the standby has it", "select count(*) from pg_stat_replication where replay_lsn >= '" + now + "'");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** From now on the standby receives nothing, as when the network is slow; the primary does not know. */
    public void holdBack() {
        try {
            Process kill = new ProcessBuilder("kill", "-STOP", text("select pid from pg_stat_replication")).start();
            if (kill.waitFor() != 0) {
                throw new IllegalStateException("kill -STOP failed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void await(String what, String sql) throws SQLException {
        long end = System.nanoTime() + WAIT_NANOS_MAX;
        while (text(sql).equals("0")) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("It took too long until " + what + ".");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(primaryUrl());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private String text(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(primaryUrl());
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    private String primaryUrl() {
        return primary.url("postgres") + "?user=" + user;
    }

    @Override
    public void close() {
        // the first may have the programs of both
        (primary == first ? standby : primary).close();
        first.close();
    }
}
