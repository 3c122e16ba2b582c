package dev.treadle.benchmark;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/** Everything a window of time has cost, beside the time: in this or other processes and in the database. */
final class Meter {
    private static final double MEGABYTE = 1024 * 1024;

    private final Database database;
    private final long postmaster;
    private final List<Long> workers;
    private final boolean inThisProcess;
    private final HeapPeak heap = new HeapPeak();
    private final Reading before;

    private record Reading(
            double wal,
            double statements,
            double transactions,
            double workerMicros,
            double databaseMicros,
            double allocated,
            double gcMillis) {}

    private Meter(Database database, long postmaster, List<Long> workers) {
        this.database = database;
        this.postmaster = postmaster;
        this.workers = workers;
        this.inThisProcess = workers.equals(List.of(ProcessHandle.current().pid()));
        this.before = read();
    }

    /** @param workers the processes that run the jobs */
    static Meter begin(Database database, long postmaster, List<Long> workers) {
        return new Meter(database, postmaster, workers);
    }

    /** Begins where the jobs run in this process. */
    static Meter begin(Database database, long postmaster) {
        return begin(database, postmaster, List.of(ProcessHandle.current().pid()));
    }

    /** What has been used since the beginning, for each of so many jobs. */
    Sample perJob(int jobs) {
        Reading after = read();
        heap.close();
        Sample sample = Sample.of(Measure.WORKER_CPU, (after.workerMicros - before.workerMicros) / jobs)
                .with(Measure.RESIDENT, ProcessTimes.residentPeak(workers) / MEGABYTE);
        if (database.isPostgres()) {
            sample = sample.with(Measure.WAL_BYTES, (after.wal - before.wal) / jobs)
                    .with(Measure.COMMITS, (after.transactions - before.transactions) / jobs)
                    .with(Measure.DATABASE_CPU, (after.databaseMicros - before.databaseMicros) / jobs);
            if (after.statements >= 0) {
                sample = sample.with(Measure.STATEMENTS, (after.statements - before.statements) / jobs);
            }
        }
        if (inThisProcess) {
            sample = sample.with(Measure.ALLOCATED, (after.allocated - before.allocated) / jobs)
                    .with(Measure.GC_MILLIS, after.gcMillis - before.gcMillis)
                    .with(Measure.PEAK_HEAP, heap.bytes() / MEGABYTE);
        }
        return sample;
    }

    private Reading read() {
        boolean postgres = database.isPostgres();
        return new Reading(
                postgres ? database.number("pg_current_wal_insert_lsn() - '0/0'::pg_lsn") : 0,
                postgres ? statements(database) : -1,
                // why not xact_commit: it comes up to a second late, and a transaction that wrote nothing costs no
                // flush
                postgres ? database.number("txid_snapshot_xmax(txid_current_snapshot())") : 0,
                ProcessTimes.micros(workers),
                postgres ? ProcessTimes.microsWithChildren(postmaster) : 0,
                allocated(),
                ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                        .sum());
    }

    /** Statements so far without the harness's own; negative if nobody counts them. */
    static double statements(Database database) {
        if (!database.holds("exists (select 1 from pg_extension where extname = 'pg_stat_statements')")) {
            return -1;
        }
        return database.number("coalesce(sum(calls), 0) from pg_stat_statements s"
                + " join pg_database d on d.oid = s.dbid and d.datname = current_database()"
                + " where query not like '%/* bench%'"
                + " and query !~* '^\\s*(begin|commit|rollback|start transaction|end|$)'");
    }

    private static double allocated() {
        return ManagementFactory.getThreadMXBean() instanceof com.sun.management.ThreadMXBean threads
                ? threads.getTotalThreadAllocatedBytes()
                : 0;
    }
}
