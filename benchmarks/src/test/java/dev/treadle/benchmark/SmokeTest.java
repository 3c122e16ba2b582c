package dev.treadle.benchmark;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each workload and each contender once, with very few jobs and in this JVM: that they work, not how fast. */
class SmokeTest {
    private static final int JOBS = 60;
    private static final Map<String, String> FEW = Map.of("warm", "20");

    private static Databases databases;

    @BeforeAll
    static void start() {
        databases = new Databases();
    }

    @AfterAll
    static void stop() {
        databases.close();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DBOS")
    void every_contender_runs_every_job_once(Peer peer) {
        Sample sample = measure(Cell.of("drain", peer, Task.Kind.DRAIN, JOBS, FEW));
        assertTrue(sample.values().get(Measure.JOBS_PER_SECOND) > 0);
        assertTrue(sample.values().get(Measure.WAL_BYTES) > 100);
    }

    private static Map<String, String> archive() {
        return Map.of("warm", "0", "times", "1", "archive", "true");
    }

    static List<Cell> workloads() {
        Peer treadle = Peer.TREADLE;
        return Stream.of(
                        Cell.of("pinned", treadle, Task.Kind.DRAIN, JOBS, Map.of("warm", "20", "pinned", "true")),
                        Cell.of("blocking", treadle, Task.Kind.DRAIN, JOBS, Map.of("warm", "20", "millis", "5")),
                        Cell.of("enqueue-one", treadle, Task.Kind.ENQUEUE, JOBS, Map.of("mode", "one")),
                        Cell.of("enqueue-threads", treadle, Task.Kind.ENQUEUE, JOBS, Map.of("mode", "threads")),
                        Cell.of("enqueue-bulk", treadle, Task.Kind.ENQUEUE, JOBS, Map.of("mode", "bulk")),
                        Cell.of("enqueue-threads", Peer.BARE, Task.Kind.ENQUEUE, JOBS, Map.of("mode", "threads")),
                        Cell.of("latency", treadle, Task.Kind.LATENCY, 20, Map.of("gap", "1000", "warm", "20")),
                        Cell.of("latency-other-jvm", treadle, Task.Kind.LATENCY, 20, other()),
                        Cell.of("permit", treadle, Task.Kind.PERMIT, 12, Map.of("warm", "1")),
                        Cell.of("permit-memory", Peer.TREADLE_POOL, Task.Kind.PERMIT, 12, Map.of("warm", "1"))
                                .on(Cell.Storage.MEMORY),
                        Cell.of("nodes-2", treadle, Task.Kind.NODES, JOBS, Map.of("nodes", "2")),
                        Cell.of("jdbc", treadle, Task.Kind.JDBC, JOBS, jdbc("virtual", 60, 4)),
                        Cell.of("jdbc", treadle, Task.Kind.JDBC, JOBS, jdbc("pool", 5, 0)),
                        Cell.of("start", treadle, Task.Kind.START, 1, Map.of("warm", "0", "times", "1")),
                        Cell.of("start-archive", treadle, Task.Kind.START, 1, archive()),
                        Cell.of(
                                "cold-blocking",
                                treadle,
                                Task.Kind.COLD,
                                JOBS,
                                Map.of("millis", "5", "training", "20", "cache", "false")),
                        Cell.of(
                                "nodes-3-light",
                                treadle,
                                Task.Kind.CLUSTER,
                                JOBS,
                                Map.of("nodes", "3", "idle", "1", "trickle", "20")),
                        Cell.of("scheduled", treadle, Task.Kind.DRAIN, JOBS, FEW)
                                .filled(50),
                        Cell.of("h2-memory", treadle, Task.Kind.DRAIN, JOBS, FEW)
                                .on(Cell.Storage.H2_MEMORY),
                        Cell.of("h2-file", treadle, Task.Kind.DRAIN, JOBS, FEW).on(Cell.Storage.H2_FILE))
                .toList();
    }

    private static Map<String, String> jdbc(String executor, int workers, int permits) {
        return Map.of(
                "executor",
                executor,
                "workers",
                String.valueOf(workers),
                "permits",
                String.valueOf(permits),
                "connections",
                "10",
                "wait",
                "1");
    }

    private static Map<String, String> other() {
        return Map.of("gap", "1000", "warm", "20", "other", "true");
    }

    @ParameterizedTest
    @MethodSource("workloads")
    void every_workload_gives_what_says_how_fast_it_is(Cell cell) {
        assertTrue(Measure.headlines().stream()
                .anyMatch(measure -> measure(cell).values().containsKey(measure)));
    }

    @ParameterizedTest
    @MethodSource("flows")
    void jobs_made_of_jobs_are_counted_too(Cell cell) {
        assertTrue(Measure.headlines().stream()
                .anyMatch(measure -> measure(cell).values().containsKey(measure)));
    }

    static List<Cell> flows() {
        return new FlowPlan(jobs -> Math.max(16, jobs / 10_000), BenchOptions.parse("flow", "--quick", "--peers"))
                .groups().stream().flatMap(List::stream).toList();
    }

    @ParameterizedTest
    @MethodSource("experiments")
    void every_published_experiment_runs_on_every_executor(Cell cell) throws Exception {
        Task task = new Task(cell.kind(), cell.peer(), "none", 0, Math.min(cell.jobs(), 500), cell.params());
        assertTrue(new LoomRun(task).measure().values().keySet().stream().anyMatch(Measure.headlines()::contains));
    }

    static List<Cell> experiments() {
        return new LoomPlan(jobs -> 200, BenchOptions.parse("loom", "--quick"))
                .groups().stream().flatMap(List::stream).toList();
    }

    @Test
    void a_run_that_lost_a_job_or_ran_one_twice_is_no_result() {
        RunLog lost = new RunLog(2);
        lost.ended(Work.nothing(0));
        assertThrows(IllegalStateException.class, lost::verify);
        RunLog twice = new RunLog(1);
        twice.ended(Work.nothing(0));
        twice.ended(Work.nothing(0));
        assertThrows(IllegalStateException.class, twice::verify);
    }

    private static Sample measure(Cell cell) {
        return databases.with(cell, task -> {
            try {
                return Child.measure(task);
            } catch (Exception e) {
                throw new IllegalStateException(cell + " failed", e);
            }
        });
    }
}
