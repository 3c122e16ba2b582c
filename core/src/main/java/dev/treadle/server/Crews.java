package dev.treadle.server;

import dev.treadle.dispatch.Crew;
import dev.treadle.dispatch.LineSettings;
import dev.treadle.dispatch.Lines;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * Who lends the threads of a node.
 *
 * @param usual to jobs of queues that name no other
 * @param named to jobs of queues that name it
 */
public record Crews(Hired usual, Map<String, Hired> named) {
    /**
     * One executor.
     *
     * @param workers how many jobs may run on it at once
     */
    public record Hired(Executor executor, int workers) {}

    /** One executor for all queues. */
    public static Crews of(Executor executor, int workers) {
        return new Crews(new Hired(executor, workers), Map.of());
    }

    /** How many jobs may run at once in all. */
    int workers() {
        int workers = usual.workers;
        for (Hired hired : named.values()) {
            workers += hired.workers;
        }
        return workers;
    }

    Lines lines(Serving serving, InstantSource time) {
        Crew usualCrew = new Crew(usual.executor, usual.workers);
        Map<String, Crew> crews = new HashMap<>();
        named.forEach((name, hired) -> crews.put(name, new Crew(hired.executor, hired.workers)));
        List<LineSettings> lines = new ArrayList<>();
        for (QueueSettings queue : serving.queues()) {
            Crew crew = queue.executor() == null ? usualCrew : crews.getOrDefault(queue.executor(), usualCrew);
            lines.add(new LineSettings(queue.queue(), queue.concurrency(), queue.weight(), crew));
        }
        return new Lines(usualCrew, lines, time);
    }
}
