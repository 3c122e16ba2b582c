package dev.treadle.benchmark;

import dev.treadle.postgres.PrivatePostgres;
import java.util.List;

/** The PostgreSQL of the benchmarks, whose databases are made, copied and dropped for each run. */
final class BenchPostgres implements AutoCloseable {
    static final String USER = "bench";
    /** How often to try to copy a database that still has a connection; PostgreSQL itself waits 5 s each time. */
    private static final int COPY_TRIES_MAX = 10;
    /** Small enough for a test machine, large enough that no run is about reading from disk. */
    private static final List<String> SETTINGS =
            List.of("max_connections=500", "shared_buffers=1GB", "max_wal_size=8GB");

    private final PrivatePostgres server = PrivatePostgres.start("treadle-bench-pg", USER, SETTINGS);

    /** The process that started all others of this server. */
    long pid() {
        return server.pid();
    }

    String url(String database) {
        return server.url(database);
    }

    /** Makes an empty database. */
    String createDatabase(String name) {
        try (Database admin = new Database(url("postgres"))) {
            admin.run("create database " + name);
        }
        if (server.hasStatementStatistics()) {
            try (Database fresh = new Database(url(name))) {
                fresh.run("create extension pg_stat_statements");
            }
        }
        return url(name);
    }

    /** Makes a copy of a database, to which nothing may be connected. */
    String copyDatabase(String from, String name) {
        try (Database admin = new Database(url("postgres"))) {
            // autovacuum and a connection that has just been closed count too, so they are ended first
            admin.run("alter database " + from + " allow_connections false");
            for (int tries = 1; ; tries++) {
                try {
                    admin.run("select pg_terminate_backend(pid) from pg_stat_activity where datname = '" + from + "'");
                    admin.run("create database " + name + " template " + from);
                    break;
                } catch (IllegalStateException e) {
                    if (tries == COPY_TRIES_MAX) {
                        throw e;
                    }
                }
            }
            admin.run("alter database " + from + " allow_connections true");
            admin.run("checkpoint");
        }
        return url(name);
    }

    void dropDatabase(String name) {
        try (Database admin = new Database(url("postgres"))) {
            admin.run("drop database if exists " + name + " with (force)");
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
