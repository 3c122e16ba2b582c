package dev.treadle.benchmark;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/** The published experiments as cells: the same task on platform threads and on virtual ones. */
final class LoomPlan {
    private static final int RESIDENT_MEGABYTES = 1_024;
    private static final int PLATFORM_THREADS_MAX = 20_000;

    private final IntUnaryOperator scaled;
    private final boolean quick;

    LoomPlan(IntUnaryOperator scaled, boolean quick) {
        this.scaled = scaled;
        this.quick = quick;
    }

    List<List<Cell>> groups() {
        return List.of(
                List.of(
                        cell(LoomExperiment.E2_SLEEP, "virtual", 0, 100_000, Map.of("millis", "100")),
                        // once: its floor is 156 s
                        cell(LoomExperiment.E2_SLEEP, "pool", 64, 100_000, Map.of("millis", "100", "rounds", "1"))),
                List.of(
                        cell(LoomExperiment.E2_COROUTINES, "virtual", 0, 10_000, Map.of()),
                        cell(LoomExperiment.E2_COROUTINES, "pool", 64, 10_000, Map.of()),
                        cell(LoomExperiment.E2_COROUTINES, "Dispatchers.IO", 0, 10_000, Map.of())),
                List.of(
                        cell(LoomExperiment.E3_PARKED, "virtual", 0, 5_000_000, limit()),
                        cell(LoomExperiment.E3_PARKED, "pool", 0, PLATFORM_THREADS_MAX, limit())),
                List.of(
                        cell(LoomExperiment.E3_SLEEP, "virtual", 0, 100_000, Map.of("millis", "1000")),
                        cell(LoomExperiment.E3_SLEEP, "pool", quick ? 100 : 10_000, 100_000, Map.of("millis", "1000"))),
                List.of(
                        cell(LoomExperiment.E5_CREATE, "virtual", 0, 200_000, Map.of()),
                        cell(LoomExperiment.E5_CREATE, "pool", 0, 20_000, Map.of())),
                List.of(
                        cell(LoomExperiment.E5_PING_PONG, "virtual", 0, 250_000, Map.of()),
                        cell(LoomExperiment.E5_PING_PONG, "pool", 2, 250_000, Map.of())),
                List.of(
                        cell(LoomExperiment.E5_MESSAGES, "virtual", 0, 5_000_000, Map.of()),
                        cell(LoomExperiment.E5_MESSAGES, "pool", 2, 5_000_000, Map.of())));
    }

    private Map<String, String> limit() {
        return Map.of("limit", String.valueOf(quick ? 64 : RESIDENT_MEGABYTES), "heap", "4096");
    }

    private Cell cell(LoomExperiment experiment, String executor, int threads, int jobs, Map<String, String> more) {
        Map<String, String> params = new HashMap<>(more);
        params.put("experiment", experiment.name());
        params.put("executor", executor);
        if (threads > 0) {
            params.put("threads", String.valueOf(threads));
        }
        String label = threads > 0 ? executor + "-" + threads : executor;
        return new Cell(
                experiment.workload(),
                label,
                Peer.TREADLE,
                Task.Kind.LOOM,
                Cell.Storage.NONE,
                scaled.applyAsInt(jobs),
                params,
                0);
    }
}
