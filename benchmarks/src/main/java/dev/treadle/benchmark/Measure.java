package dev.treadle.benchmark;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What is measured, and how it is called and written. */
enum Measure {
    JOBS_PER_SECOND("jobs_per_s", "jobs/s", 0, true),
    SECONDS("seconds", "s", 3, true),
    P50_MILLIS("p50_ms", "p50 ms", 2, true),
    P99_MILLIS("p99_ms", "p99 ms", 2, true),
    MAX_MILLIS("max_ms", "max ms", 2, true),
    NANOS_PER_CALL("ns_per_call", "ns/call", 0, true),
    THREADS("threads", "threads", 0, true),
    PUBLISHED("published", "published", 3, false),
    OF_BASE("of_base", "of base", 2, false),
    MEAN_SECONDS("mean_s", "mean s", 2, true),
    PER_SECOND("per_s", "per s", 1, true),
    MEGABYTES_PER_SECOND("mb_per_s", "MB/s", 0, true),
    IN_FLIGHT_MAX("in_flight_max", "most in flight", 0, false),
    START_JVM("start_jvm_ms", "JVM ms", 0, false),
    START_OPEN("start_open_ms", "storage ms", 0, false),
    START_SERVER("start_server_ms", "server ms", 0, false),
    START_FIRST("start_first_ms", "to first job ms", 0, false),
    START_WRITTEN("start_written_ms", "written ms", 0, false),
    START_CPU("start_cpu_ms", "CPU ms", 0, false),
    CLASSES("classes", "classes", 0, false),
    CLASSES_UNSHARED("classes_unshared", "not from CDS", 0, false),
    CLASSES_MILLIS("classes_ms", "classes ms", 0, false),
    VERIFY_MILLIS("verify_ms", "of it verifying", 0, false),
    SECONDS_TAKEN("seconds_taken", "in s", 2, false),
    WAL_BYTES("wal_bytes_per_job", "WAL B/job", 0, true),
    STATEMENTS("statements_per_job", "stmts/job", 4, true),
    COMMITS("commits_per_job", "commits/job", 4, false),
    WORKER_CPU("worker_cpu_us_per_job", "worker µs/job", 1, false),
    DATABASE_CPU("pg_cpu_us_per_job", "PG µs/job", 1, false),
    ALLOCATED("allocated_bytes_per_job", "alloc B/job", 0, false),
    PEAK_HEAP("peak_heap_mb", "peak heap MB", 0, false),
    RESIDENT("resident_mb", "RSS MB", 0, false),
    GC_MILLIS("gc_ms", "GC ms", 0, false),
    IDLE_STATEMENTS("idle_statements_per_s_and_node", "idle stmts/s and node", 2, true),
    IDLE_CONNECTIONS("idle_connections_per_node", "idle conns/node", 2, true),
    IDLE_DATABASE_CPU("idle_pg_cpu_ms_per_s", "idle PG ms/s", 1, true),
    IDLE_WORKER_CPU("idle_worker_cpu_ms_per_s", "idle worker ms/s", 1, true),
    DATABASE_BYTES("database_bytes_per_job", "database B/job", 0, true),
    CLAIMS_PER_BATCH("claims_per_batch", "claims/batch", 2, true);

    /** From here on a published figure is a count or a rate, below it is a time in seconds. */
    private static final int PUBLISHED_WHOLE_FROM = 1_000;

    private final String key;
    private final String column;
    private final int decimals;
    private final boolean forMachines;

    Measure(String key, String column, int decimals, boolean forMachines) {
        this.key = key;
        this.column = column;
        this.decimals = decimals;
        this.forMachines = forMachines;
    }

    /** Its name between programs. */
    String key() {
        return key;
    }

    /** Its name for people. */
    String column() {
        return column;
    }

    /** Whether {@code --json} gives it. */
    boolean isForMachines() {
        return forMachines;
    }

    String text(double value) {
        if (this == PUBLISHED && value >= PUBLISHED_WHOLE_FROM) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }

    String json(double value) {
        return String.format(Locale.ROOT, "%." + Math.max(decimals, 1) + "f", value);
    }

    /** Each workload has one of these. In the order in which they say how fast it is. */
    static List<Measure> headlines() {
        return List.of(JOBS_PER_SECOND, SECONDS, P50_MILLIS, NANOS_PER_CALL, THREADS);
    }

    static Measure of(String key) {
        return Arrays.stream(values())
                .filter(measure -> measure.key.equals(key))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no measure '" + key + "'."));
    }
}
