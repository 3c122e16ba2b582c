package dev.treadle.storage;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a node reports about its state with its heartbeat; for people and charts, nothing is decided by it.
 *
 * @param vitals how its machine stands
 * @param facts  further words, such as {@code jdk}; at most {@value #FACTS_MAX}, each value at most
 *               {@value #FACT_CHARS_MAX} characters, in their order
 * @param minute what it has done in the present minute; null where that was not asked for
 */
public record NodeFigures(
        NodeVitals vitals,
        Map<String, String> facts,
        @Nullable NodeMinute minute) {
    /** Begins the name of a fact that says how the node serves the queue whose name follows. */
    public static final String QUEUE_FACT = "queue ";
    /** The fact of a node that serves only the queues it names. */
    public static final String OTHER_QUEUES_FACT = "other queues";
    /** Most facts. */
    public static final int FACTS_MAX = 100;
    /** Longest fact, in characters. */
    public static final int FACT_CHARS_MAX = 200;

    /** Keeps its own copy, within bounds. */
    public NodeFigures {
        Map<String, String> bounded = new LinkedHashMap<>();
        facts.forEach((name, value) -> {
            if (bounded.size() < FACTS_MAX && name.length() <= FACT_CHARS_MAX) {
                bounded.put(name, value.substring(0, Math.min(value.length(), FACT_CHARS_MAX)));
            }
        });
        facts = java.util.Collections.unmodifiableMap(bounded);
    }
}
