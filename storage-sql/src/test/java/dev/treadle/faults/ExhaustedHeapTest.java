package dev.treadle.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.api.JobOptions;
import dev.treadle.api.JobScheduler;
import dev.treadle.job.JobId;
import dev.treadle.job.KeyRule;
import dev.treadle.job.RetryPolicy;
import dev.treadle.job.StateName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that take all the heap for a while, and then let it go: the process that ran them goes on as before. */
class ExhaustedHeapTest extends Faults {
    private static final int WORKERS = 8;
    /** How many of them take the heap, so that others run beside them. */
    private static final int HOGS = 6;
    /** How often they do, one time after the other. */
    private static final int ROUNDS = Integer.getInteger("treadle.faults.hog.rounds", 5);

    private static final int HOG_MILLIS = 1_500;
    /** Jobs of each kind in each round that take no heap to speak of. */
    private static final int VICTIMS = 5;

    private static final String HEAP = System.getProperty("treadle.faults.hog.heap", "64m");
    /** Another one than the pool needs a JVM that has it. */
    private static final String EXECUTOR = System.getProperty("treadle.faults.hog.executor", "pool");

    @ParameterizedTest
    @ValueSource(strings = {"SerialGC", "ParallelGC", "G1GC"})
    void when_the_heap_is_free_again_every_loop_lives_and_every_job_comes_to_an_end(String collector) throws Exception {
        WorkerProcess worker = readyWorker(
                "hungry",
                "heap",
                HEAP,
                "gc",
                collector,
                "executor",
                EXECUTOR,
                "workers",
                "" + WORKERS,
                "deadAfter",
                "15000");
        until(
                "classes are initialized that could break for good in an exhausted heap",
                () -> worker.linesWith("classes of libraries are initialized") > 0);
        List<JobId> hogs = new ArrayList<>();
        List<JobId> victims = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            addRound(hogs, victims);
        }
        int all = hogs.size() + victims.size();
        until("all of them have ended", () -> ended() >= all);
        assertTrue(worker.isAlive());
        until("none is left", () -> count("select count(*) from treadle_lease") == 0);
        int lost = worker.linesWith("was lost on this node") + worker.linesWith("was given it once more");
        for (JobId victim : victims) {
            assertSucceeded(victim, worker);
        }

        JobOptions once = JobOptions.DEFAULT.withRetries(RetryPolicy.NEVER);
        List<JobId> afterwards = List.of(
                enqueuer.jobs().with(once).enqueue(FaultWork.loops(1)),
                enqueuer.jobs().with(once.withKey(KeyRule.mailbox("k"))).enqueue(FaultWork.good(2, 1)),
                enqueuer.jobs().with(once).schedule(Duration.ofMillis(100), FaultWork.good(3, 1)));
        until("jobs of each kind have ended", () -> ended() >= all + afterwards.size());
        for (JobId id : afterwards) {
            assertSucceeded(id, worker);
        }
        int beats = beats();
        until("it beats", () -> beats() != beats);
        report(collector + ", " + HEAP + ", " + EXECUTOR + ": " + hogs.size() + " jobs took the heap beside "
                + victims.size() + " others; the log has " + worker.linesWith("OutOfMemoryError")
                + " lines about it; attempts that got lost and were found: " + lost);
        worker.terminate();
    }

    /** The others are tried until they succeed. */
    private void addRound(List<JobId> hogs, List<JobId> victims) {
        JobScheduler once = enqueuer.jobs().with(JobOptions.DEFAULT.withRetries(RetryPolicy.NEVER));
        JobOptions often = JobOptions.DEFAULT.withRetries(
                RetryPolicy.DEFAULT.withAttempts(1_000).withDelays(Duration.ofMillis(200), Duration.ofSeconds(2)));
        JobScheduler plain = enqueuer.jobs().with(often);
        for (int n = 0; n < HOGS; n++) {
            hogs.add(once.enqueue(FaultWork.hog(n, HOG_MILLIS)));
        }
        for (int n = 0; n < VICTIMS; n++) {
            victims.add(plain.enqueue(FaultWork.good(n, 50)));
            victims.add(plain.enqueue(new FaultValue(n)));
            victims.add(enqueuer.jobs()
                    .with(often.withKey(KeyRule.mailbox("mailbox " + n)))
                    .enqueue(FaultWork.good(n, 50)));
            victims.add(plain.schedule(Duration.ofMillis(500), FaultWork.good(n, 50)));
        }
    }

    private void assertSucceeded(JobId id, WorkerProcess worker) {
        assertEquals(
                StateName.SUCCEEDED,
                enqueuer.jobs().find(id).orElseThrow().job().state().name(),
                () -> enqueuer.jobs().find(id).orElseThrow().history() + worker.output());
    }

    private int ended() throws Exception {
        return count("select count(*) from treadle_history where next in (3, 4)");
    }

    /** A number that changes with each heartbeat. */
    private int beats() throws Exception {
        return count("select (extract(epoch from max(beat_at)) * 1000)::bigint % 1000000000 from treadle_node");
    }
}
