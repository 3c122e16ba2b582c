package dev.treadle.engine;

import dev.treadle.job.ResourceUse;
import dev.treadle.server.ConcurrencyLimit;
import java.util.List;
import java.util.Map;

/** What a node says of itself with its heartbeats beside numbers: how it serves queues, what it admits, its resources. */
final class NodeWords {
    private NodeWords() {}

    static Map<String, String> of(QueueSelection selection, ConcurrencyLimit admitted, List<ResourceUse> resources) {
        Map<String, String> words = selection.words();
        if (admitted.guarded()) {
            words.put(
                    "heap guard",
                    "admits " + admitted.admitted() + " of " + admitted.workers()
                            + (admitted.last() == null ? "" : "; last: " + admitted.last()));
        }
        for (ResourceUse resource : resources) {
            words.put(
                    "resource " + resource.name(),
                    resource.inUse()
                            + (resource.permits() == null ? " in use" : " of " + resource.permits() + " in use")
                            + (resource.waiting() == 0 ? "" : ", " + resource.waiting() + " wait"));
        }
        return words;
    }
}
