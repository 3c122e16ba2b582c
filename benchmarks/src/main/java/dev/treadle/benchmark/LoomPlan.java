package dev.treadle.benchmark;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/** The published experiments as cells: the same task on platform threads and on virtual ones. */
final class LoomPlan {
    static final int RESIDENT_MEGABYTES = 1_024;
    private static final int E2_TASKS = 100_000;
    static final int PLATFORM_THREADS_MAX = 20_000;

    private final IntUnaryOperator scaled;
    private final BenchOptions options;

    LoomPlan(IntUnaryOperator scaled, BenchOptions options) {
        this.scaled = scaled;
        this.options = options;
    }

    List<List<Cell>> groups() {
        return List.of(
                List.of(
                        cell(LoomExperiment.E2_SLEEP, "virtual", 0, E2_TASKS, published("millis", "100", 0.672)),
                        poolOf64()),
                List.of(
                        cell(LoomExperiment.E2_COROUTINES, "virtual", 0, 10_000, published(0.183)),
                        cell(LoomExperiment.E2_COROUTINES, "pool", 64, 10_000, Map.of()),
                        cell(LoomExperiment.E2_COROUTINES, "Dispatchers.IO", 0, 10_000, published(0.223))),
                List.of(
                        cell(LoomExperiment.E3_PARKED, "virtual", 0, 5_000_000, limit(14_625_956)),
                        cell(LoomExperiment.E3_PARKED, "platform", 0, PLATFORM_THREADS_MAX, limit(32_539))),
                List.of(
                        cell(LoomExperiment.E3_SLEEP, "virtual", 0, 100_000, published("millis", "1000", 2.62)),
                        cell(
                                LoomExperiment.E3_SLEEP,
                                "pool",
                                options.quick() ? 100 : 10_000,
                                100_000,
                                published("millis", "1000", 11.52)),
                        cell(
                                LoomExperiment.E3_SLEEP,
                                LoomRun.THREAD_PER_TASK,
                                0,
                                100_000,
                                published("millis", "1000", 18.77))),
                List.of(
                        cell(LoomExperiment.E5_CREATE, "virtual", 0, 200_000, published(200_000 / 0.21)),
                        cell(LoomExperiment.E5_CREATE, "platform", 0, 20_000, published(3_000 / 0.21))),
                List.of(
                        cell(LoomExperiment.E5_PING_PONG, "virtual", 0, 250_000, published(1.5)),
                        cell(LoomExperiment.E5_PING_PONG, "pool", 2, 250_000, published(4.7))),
                List.of(
                        cell(LoomExperiment.E5_MESSAGES, "virtual", 0, 5_000_000, published(7_500_000)),
                        cell(LoomExperiment.E5_MESSAGES, "pool", 2, 5_000_000, published(8_500_000))),
                List.of(
                        cell(LoomExperiment.E5_HTTP, "virtual", 0, 50_000, published(24_000)),
                        cell(LoomExperiment.E5_HTTP, "pool", LoomRun.HTTP_CLIENTS, 50_000, published(11_000))));
    }

    /** Its floor is the number of tasks by 64 by 100 ms, which for all 100,000 is 156 s: that once, and not beside all. */
    private Cell poolOf64() {
        boolean all = options.subject() == BenchOptions.Subject.ALL;
        Map<String, String> params = new HashMap<>(all ? Map.of("millis", "100") : published("millis", "100", 161.956));
        params.put("rounds", "1");
        return cell(LoomExperiment.E2_SLEEP, "pool", 64, all ? 10_000 : E2_TASKS, params);
    }

    private static Map<String, String> published(double figure) {
        return Map.of("published", String.valueOf(figure));
    }

    private static Map<String, String> published(String name, String value, double figure) {
        return Map.of(name, value, "published", String.valueOf(figure));
    }

    private Map<String, String> limit(int published) {
        Map<String, String> params = new HashMap<>(published(published));
        params.put("limit", String.valueOf(options.quick() ? 64 : RESIDENT_MEGABYTES));
        params.put("heap", "4096");
        return params;
    }

    private Cell cell(LoomExperiment experiment, String executor, int threads, int jobs, Map<String, String> more) {
        Map<String, String> params = new HashMap<>(more);
        params.put("experiment", experiment.name());
        params.put("executor", executor);
        if (threads > 0) {
            params.put("threads", String.valueOf(threads));
        }
        int tasks = scaled.applyAsInt(jobs);
        if (tasks < jobs) {
            params.remove("published");
        }
        String label = threads > 0 ? executor + "-" + threads : executor;
        if (experiment == LoomExperiment.E2_SLEEP && jobs < E2_TASKS) {
            label += ", " + String.format(Locale.ROOT, "%,d", jobs) + " tasks";
        }
        return new Cell(
                experiment.workload(), label, Peer.TREADLE, Task.Kind.LOOM, Cell.Storage.NONE, tasks, params, 0);
    }
}
