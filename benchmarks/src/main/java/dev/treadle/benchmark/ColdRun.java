package dev.treadle.benchmark;

import java.util.HashMap;
import java.util.Map;

/**
 * A drain in a JVM that has compiled nothing yet; with a cache, in one that maps what an earlier process has learnt. That
 * earlier process drains fewer jobs on the same tables, and is not measured.
 */
final class ColdRun {
    private final Task task;

    ColdRun(Task task) {
        this.task = task;
    }

    Sample measure() throws Exception {
        Task cold = with(Map.of("warm", "0"), task.jobs());
        if (!task.is("cache")) {
            return ChildJvm.measure(cold);
        }
        try (ClassArchive cache = new ClassArchive()) {
            Task training = with(
                    Map.of("warm", "0", "millis", "0"),
                    Integer.parseInt(task.params().get("training")));
            ChildJvm.measure(cache.training(training));
            return ChildJvm.measure(cache.trained(cold));
        }
    }

    private Task with(Map<String, String> more, int jobs) {
        Map<String, String> params = new HashMap<>(task.params());
        params.putAll(more);
        return new Task(Task.Kind.DRAIN, task.peer(), task.url(), task.postmaster(), jobs, params);
    }
}
