package dev.treadle.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.treadle.Treadle;
import dev.treadle.job.JobContext;
import dev.treadle.job.RetryPolicy;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.sql.SqlStorageProvider;
import dev.treadle.storage.sql.SqlStorageSettings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The connection of a job's own transaction is cut at its commit: before it, in it, and before its answer. */
class CutCommitsTest extends Faults {
    private static final int CUTS = Integer.getInteger("treadle.faults.cuts", 50);
    private static final int JOBS_PER_CUT = 4;
    /** After so many cuts the database is away for a while, so that a run cannot find out at once. */
    private static final int CUTS_PER_OUTAGE = 20;

    private static final long OUTAGE_MILLIS = 2_000;

    private int jobs;
    private final AtomicInteger swallowed = new AtomicInteger();

    @Test
    void each_job_has_one_effect_and_none_succeeds_without_it() throws Exception {
        Effects.createTable(database);
        try (CuttingProxy proxy = new CuttingProxy(postgres.port(), FaultEffect.TABLE)) {
            Treadle worker = server(postgres.url().replace(":" + postgres.port() + "/", ":" + proxy.port() + "/"));
            try {
                run(proxy);
            } finally {
                worker.close();
            }
            report(CUTS + " cuts (" + proxy.done(CuttingProxy.Cut.BEFORE_COMMIT) + " before the commit, "
                    + proxy.done(CuttingProxy.Cut.AT_COMMIT) + " at it, "
                    + proxy.done(CuttingProxy.Cut.BEFORE_ANSWER) + " before its answer) in " + jobs + " jobs, "
                    + count("select count(*) from treadle_history where event <> 0") + " attempts failed, "
                    + swallowed.get() + " exceptions swallowed by jobs");
        }
        assertEquals(jobs, count("select count(*) from " + FaultEffect.TABLE));
        assertEquals(jobs, count("select count(distinct n) from " + FaultEffect.TABLE));
        assertEquals(List.of(), Effects.successesWithout(database));
        assertEquals(jobs, count("select count(*) from treadle_history where event = 0"), "each succeeded once");
    }

    private void run(CuttingProxy proxy) {
        for (int cut = 0; cut < CUTS; cut++) {
            proxy.cutNext(CuttingProxy.Cut.values()[cut % CuttingProxy.Cut.values().length]);
            int first = jobs;
            enqueuer.jobs()
                    .enqueueAll(
                            IntStream.range(first, first + JOBS_PER_CUT).mapToObj(n -> new FaultEffect(n, 2, true)));
            jobs += JOBS_PER_CUT;
            until("cut number " + cut, () -> proxy.waiting() == 0);
            if (cut % CUTS_PER_OUTAGE == CUTS_PER_OUTAGE - 1) {
                proxy.closeFor(OUTAGE_MILLIS);
            }
        }
        untilSucceeded(jobs);
    }

    private Treadle server(String url) {
        SqlStorageSettings settings = SqlStorageSettings.DEFAULT.withConnectionWait(Duration.ofSeconds(5));
        return Treadle.on(SqlStorageProvider.open(url, null, null, settings))
                .handler(FaultEffect.class, this::work)
                .settings(JobServerSettings.DEFAULT
                        .withWorkers(4)
                        .withRetries(RetryPolicy.DEFAULT
                                .withAttempts(50)
                                .withDelays(Duration.ofMillis(50), Duration.ofMillis(500))))
                .start();
    }

    /** Some let the exception out, others behave as if nothing had happened. */
    private Void work(FaultEffect work, JobContext job) throws Exception {
        try {
            job.transaction(connection -> {
                Effects.write(connection, work, job);
                Thread.sleep(work.millis());
                return null;
            });
        } catch (StorageException e) {
            if (work.n() % 2 == 0) {
                throw e;
            }
            swallowed.incrementAndGet();
            // nothing of the first was kept, or that is not known: then this is refused
            job.transaction(connection -> {
                Effects.write(connection, work, job);
                return null;
            });
        }
        return null;
    }
}
