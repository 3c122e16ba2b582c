package dev.treadle.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.storage.sql.GivenDatabase;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two processes share one backlog, undisturbed. */
@Tag(GivenDatabase.POSTGRES)
class TwoNodesTest extends Faults {
    private static final int JOBS = Integer.getInteger("treadle.faults.share.jobs", 20_000);

    @Test
    void two_nodes_share_the_jobs_and_run_each_exactly_once() throws Exception {
        // so patient that a slow machine is not taken for a dead node
        WorkerProcess one = readyWorker("one", "deadAfter", "60000");
        WorkerProcess two = readyWorker("two", "deadAfter", "60000");
        enqueuer.jobs().enqueueAll(IntStream.range(0, JOBS).mapToObj(n -> FaultWork.good(n, 0)));
        untilSucceeded(JOBS);
        one.terminate();
        two.terminate();

        int byOne = events.count("START", event -> event.worker().equals("one"));
        int byTwo = events.count("START", event -> event.worker().equals("two"));
        report(JOBS + " jobs, " + byOne + " on one node, " + byTwo + " on the other");
        assertEquals(JOBS, events.starts().size(), "different jobs");
        assertEquals(JOBS, byOne + byTwo, "starts");
        assertTrue(byOne > 0 && byTwo > 0, "both took part");
        assertEquals(JOBS, count("select count(*) from treadle_history"));
    }
}
