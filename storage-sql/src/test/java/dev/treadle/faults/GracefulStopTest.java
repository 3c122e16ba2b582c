package dev.treadle.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.JobId;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A process is asked to end with SIGTERM while it runs jobs and holds others that wait. */
class GracefulStopTest extends Faults {
    /** More than it can run before it is told to stop, however slow the machine is at telling it. */
    private static final int MANY = 400;

    private static final int SHORT = 2_000;
    private static final int WORKERS = 4;

    @Test
    void jobs_that_run_to_their_end_in_time_are_recorded() throws Exception {
        WorkerProcess worker = readyWorker("worker");
        enqueuer.jobs().enqueueAll(IntStream.range(0, MANY).mapToObj(n -> FaultWork.good(n, 300)));
        until("jobs run", () -> events.count("START") >= WORKERS);
        worker.terminate();

        int started = events.count("START");
        report(started + " started before the end, " + events.count("END") + " ended");
        assertTrue(started < MANY);
        assertEquals(started, events.count("END"), "patience is longer than the jobs");
        assertEquals(started, count("select count(*) from treadle_history where event = 0 and attempt = 1"));
        assertEquals(started, count("select count(*) from treadle_history"));
        assertEquals(MANY - started, count("select count(*) from treadle_ready where attempt = 0"));
        assertNobodyIsLeft();
    }

    @Test
    void what_waits_or_does_not_end_in_time_is_given_back_with_its_attempt_uncounted() throws Exception {
        WorkerProcess worker = readyWorker("worker", "patience", "300", "hang", "600000");
        // short ones first, so that it claims ahead of its threads; then as many as hold all threads
        Set<JobId> hanging = Set.copyOf(enqueuer.jobs()
                .enqueueAll(Stream.of(
                                IntStream.range(0, SHORT).mapToObj(n -> FaultWork.good(n, 0)),
                                IntStream.range(0, WORKERS).mapToObj(n -> FaultWork.hang(SHORT + n)),
                                IntStream.range(0, SHORT).mapToObj(n -> FaultWork.good(2 * SHORT + n, 0)))
                        .flatMap(work -> work))
                .subList(SHORT, SHORT + WORKERS));
        until("all threads hang", () -> events.count("START", event -> hanging.contains(event.job())) == WORKERS);
        int waiting = leasesOf(worker) - WORKERS;
        worker.terminate();

        int ended = events.count("END");
        report(waiting + " waiting and " + WORKERS + " hanging jobs were given back");
        assertEquals(ended, count("select count(*) from treadle_history where event = 0"));
        assertEquals(WORKERS, count("select count(*) from treadle_history where event = 3 and next = 1"), "stopped");
        assertEquals(2 * SHORT + WORKERS - ended, count("select count(*) from treadle_ready where attempt = 0"));
        assertNobodyIsLeft();

        WorkerProcess next = readyWorker("next");
        untilSucceeded(2 * SHORT + WORKERS);
        next.terminate();
        assertEquals(
                2 * SHORT + WORKERS, count("select count(*) from treadle_history where event = 0 and attempt = 1"));
        Set<Integer> oftenest = events.starts().values().stream().collect(Collectors.toSet());
        assertEquals(Set.of(1, 2), oftenest, "only those that hung were started twice");
    }

    private void assertNobodyIsLeft() throws Exception {
        assertEquals(0, count("select count(*) from treadle_lease"));
        assertEquals(0, count("select count(*) from treadle_node where gone_at is null"));
    }
}
