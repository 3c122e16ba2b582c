package dev.treadle.benchmark;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** Who is measured, with what, and what each keeps of a job that has ended. */
enum Peer {
    TREADLE(
            "treadle",
            "own pool of 10 connections, executor 'virtual'",
            1_000,
            "each job's body and one history row per attempt"),
    TREADLE_POOL("treadle-pool", "as treadle, executor 'pool' with its default of 8 threads per core", 0, "as treadle"),
    BARE(
            "bare",
            "Treadle's statements alone, without COPY: one claimer of 1,000, one completer of what has gathered, virtual threads; no"
                    + " retries, heartbeat or rescue",
            1_000,
            "as treadle"),
    JOBRUNR(
            "jobrunr",
            "1,000 workers (faster here than 32 and 200; 3,000 for jobs that block) on virtual threads, its default from Java 21; poll interval 5 s,"
                    + " the smallest it takes; HikariCP with 20",
            1_000,
            "each job as one JSON document with its states, for 36 hours"),
    DB_SCHEDULER(
            "db-scheduler",
            "pollUsingLockAndFetch(4.0, 20.0) with 20 threads, as in its docs/performance.md (40 and 80 were no faster here);"
                    + " for jobs that block, 1,000 virtual threads and (0.5, 4.0); polling interval 100 ms, immediate"
                    + " execution, HikariCP with 20",
            20,
            "nothing: the row is deleted"),
    QUARTZ(
            "quartz",
            "JobStoreTX, clustered, batchTriggerAcquisitionMaxCount = threads, acquireTriggersWithinLock, 20 threads"
                    + " (5 and 50 were no faster here),"
                    + " idleWaitTime 1 s, HikariCP with 25",
            20,
            "nothing: the rows of trigger and job are deleted"),
    DBOS(
            "dbos",
            "Transact for Java, workflows on a queue with 1,000 per worker and a polling interval of 100 ms (its default is 1 s), HikariCP"
                    + " with 20; only where jobs are made of jobs",
            1_000,
            "each workflow's inputs, output and status");

    private final String id;
    private final String settings;
    private final int workers;
    private final String keeps;

    Peer(String id, String settings, int workers, String keeps) {
        this.id = id;
        this.settings = settings;
        this.workers = workers;
        this.keeps = keeps;
    }

    /** What it is called in reports. */
    String id() {
        return id;
    }

    /** How it is set up, after its own documentation. */
    String settings() {
        return settings;
    }

    /** How many jobs run at once unless a workload says otherwise; 0 leaves it to the contender. */
    int workers() {
        return workers;
    }

    /** What is left in the database of a job that has ended. */
    String keeps() {
        return keeps;
    }

    /** Whether it is somebody else's program. */
    boolean isForeign() {
        return this == JOBRUNR || this == DB_SCHEDULER || this == QUARTZ || this == DBOS;
    }

    static Optional<Peer> find(String id) {
        return Arrays.stream(values()).filter(peer -> peer.id.equals(id)).findFirst();
    }

    static Peer of(String id) {
        return find(id).orElseThrow(() -> new IllegalArgumentException("There is no contender '" + id + "', only "
                + Arrays.stream(values()).map(Peer::id).collect(Collectors.joining(", ")) + "."));
    }
}
