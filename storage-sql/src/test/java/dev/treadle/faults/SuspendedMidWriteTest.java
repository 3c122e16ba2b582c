package dev.treadle.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.api.JobOptions;
import dev.treadle.job.KeyRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A process is suspended at a random moment of a busy time, often in the middle of a transaction: what its server process
 * has locked stays locked until the server's own limit, and must hold up nothing else.
 */
class SuspendedMidWriteTest extends Faults {
    private static final int ROUNDS = Integer.getInteger("treadle.faults.suspend.rounds", 3);
    private static final int DEAD_AFTER_MILLIS = 2_000;
    /** The server's limit for a half-done transaction, in milliseconds. */
    private static final int HALF_DONE_MILLIS = 4_000;
    /** Far below what TCP takes to give up; the measured times are in the report. */
    private static final Duration RESCUED_WITHIN = Duration.ofSeconds(60);

    private static final int JOBS = 12_000;
    /** Both: a statement that waits for the rows of a copy is not idle. */
    private static final String LIMITS = "&options=-c%20idle_in_transaction_session_timeout=" + HALF_DONE_MILLIS
            + "%20-c%20statement_timeout=" + HALF_DONE_MILLIS + "%20-c%20lock_timeout=2000";

    private static final String HALF_DONE = "select count(*) from pg_stat_activity where application_name = '%s'"
            + " and (state like 'idle in transaction%%' or state = 'active' and wait_event = 'ClientRead')";

    @Test
    void all_that_a_suspended_node_held_is_rescued() throws Exception {
        WorkerProcess rescuer = readyWorker("rescuer", "deadAfter", "" + DEAD_AFTER_MILLIS, "workers", "1");
        List<Long> millis = new ArrayList<>();
        int halfDone = 0;
        int orphans = 0;
        for (int round = 0; round < ROUNDS; round++) {
            String name = "busy" + round;
            enqueue(round);
            WorkerProcess busy =
                    readyWorker(name, "deadAfter", "" + DEAD_AFTER_MILLIS, "workers", "32", "limits", LIMITS);
            int before = count("select count(*) from treadle_history");
            until("it is well on its way", () -> count("select count(*) from treadle_history") > before + 300);
            TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextInt(100));

            busy.signal("STOP");
            long stopped = System.nanoTime();
            halfDone += Math.min(1, count(HALF_DONE.formatted(name)));
            int held = leasesOf(busy);
            orphans += held;
            until("its leases are rescued", () -> leasesOf(busy) == 0);
            long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - stopped);
            millis.add(took);
            report("round " + round + ": " + held + " leases, rescued after " + took + " ms");
            assertTrue(took < RESCUED_WITHIN.toMillis(), () -> "rescued only after " + took + " ms");
            busy.kill();
            untilForgotten(busy);
        }
        report(ROUNDS + " rounds, " + halfDone + " in the middle of a transaction, " + orphans
                + " leases; rescued after " + millis.stream().sorted().toList() + " ms");
        assertTrue(orphans > 0, "no round suspended a node that held something");
        assertTrue(rescuer.isAlive());
    }

    /** Plain ones, those that return something, and those of a few keys. */
    private void enqueue(int round) {
        enqueuer.jobs().enqueueAll(IntStream.range(0, JOBS / 2).mapToObj(n -> FaultWork.good(n, 2)));
        enqueuer.jobs().enqueueAll(IntStream.range(0, JOBS / 3).mapToObj(FaultValue::new));
        for (int key = 0; key < 4; key++) {
            KeyRule limit = KeyRule.limit("r" + round + "k" + key, 8);
            enqueuer.jobs()
                    .with(JobOptions.DEFAULT.withKey(limit))
                    .enqueueAll(IntStream.range(0, JOBS / 24).mapToObj(n -> FaultWork.good(n, 2)));
        }
    }
}
