package dev.treadle.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.JobId;
import dev.treadle.storage.sql.GivenDatabase;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A node stands still for longer than the others wait for it, as in a long collection, and then goes on. */
@Tag(GivenDatabase.POSTGRES)
class StoppedNodeTest extends Faults {
    /** More than both nodes run while one of them is told to stand still. */
    private static final int SHORT_JOBS = 3_000;

    private static final int SHORT_MILLIS = 10;
    private static final int JOBS = Integer.getInteger("treadle.faults.stop.jobs", 40);

    @Test
    void a_node_that_stood_still_is_refused_what_it_lost_and_goes_on_without_a_restart() throws Exception {
        WorkerProcess slow = readyWorker("slow");
        WorkerProcess other = readyWorker("other");
        enqueuer.jobs().enqueueAll(IntStream.range(0, JOBS).mapToObj(n -> FaultWork.good(n, 1_500)));
        until("the one to be stopped runs jobs", () -> startedBy(slow) >= 4);

        slow.signal("STOP");
        int begun = startedBy(slow) - endedBy(slow);
        int leases = leasesOf(slow);
        // it wakes up while the other runs what was taken from it: then only the token tells the two attempts apart
        until("the other runs a rescued job", () -> count("select count(*) from treadle_lease where attempt = 2") > 0);
        int rescued = rescuedFrom(slow);
        slow.signal("CONT");
        untilSucceeded(JOBS);
        other.terminate();
        enqueuer.jobs().enqueueAll(IntStream.range(0, 10).mapToObj(n -> FaultWork.good(JOBS + n, 5)));
        untilSucceeded(JOBS + 10);
        assertTrue(slow.isAlive());
        slow.terminate();

        StartCheck check = StartCheck.of(database, events);
        report(leases + " leases held and " + begun + " jobs running when it was stopped, " + rescued + " rescued, "
                + slow.linesWith("was refused") + " late outcomes refused, " + check.reruns() + " re-runs, "
                + check.zombieStarts() + " zombie starts");
        assertTrue(begun > 0 && rescued >= begun, "it was stopped while it ran jobs");
        assertNoneLostItsLeaseUnheard(check, slow, other);
        assertEquals(JOBS + 10, count("select count(*) from treadle_history where event = 0"), "each succeeded once");
        assertEquals(List.of(), check.startsAfterSuccess());
        assertEquals(List.of(), check.startedMoreOftenThanTold());
    }

    @Test
    void what_a_node_that_stood_still_had_claimed_ahead_is_refused_as_well() throws Exception {
        WorkerProcess slow = readyWorker("slow");
        WorkerProcess other = readyWorker("other");
        enqueuer.jobs().enqueueAll(IntStream.range(0, SHORT_JOBS).mapToObj(n -> FaultWork.good(n, SHORT_MILLIS)));
        until("the one to be stopped is well on its way", () -> startedBy(slow) >= SHORT_JOBS / 30);

        slow.signal("STOP");
        untilSucceeded(SHORT_JOBS);
        int rescued = rescuedFrom(slow);
        slow.signal("CONT");
        other.terminate();
        enqueuer.jobs().enqueueAll(IntStream.range(0, 10).mapToObj(n -> FaultWork.good(SHORT_JOBS + n, SHORT_MILLIS)));
        untilSucceeded(SHORT_JOBS + 10);
        slow.terminate();

        StartCheck check = StartCheck.of(database, events);
        report(SHORT_JOBS + " short jobs: " + rescued + " rescued, " + check.reruns() + " re-runs, "
                + check.zombieStarts() + " zombie starts");
        assertNoneLostItsLeaseUnheard(check, slow, other);
        assertEquals(SHORT_JOBS + 10, count("select count(*) from treadle_history where event = 0"), "once each");
        assertEquals(List.of(), check.startsAfterSuccess());
        assertEquals(List.of(), check.startedMoreOftenThanTold());
        assertTrue(check.reruns() <= check.lost());
    }

    /**
     * Every late run was told to end, or its outcome was refused when it ended.
     *
     * @param workers all, since on a slow machine the other one may be taken for dead as well
     */
    private static void assertNoneLostItsLeaseUnheard(StartCheck check, WorkerProcess... workers) {
        Set<JobId> unheard = new HashSet<>(check.startedAndLost());
        assertFalse(unheard.isEmpty());
        for (WorkerProcess worker : workers) {
            unheard.removeAll(worker.jobsThatLostTheirLease());
        }
        assertEquals(Set.of(), unheard);
    }

    private int startedBy(WorkerProcess worker) {
        return events.count("START", event -> event.worker().equals(worker.name()));
    }

    private int endedBy(WorkerProcess worker) {
        return events.count("END", event -> event.worker().equals(worker.name()));
    }
}
