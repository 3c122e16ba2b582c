package dev.treadle.benchmark;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What one process is to measure, as arguments of its command line.
 *
 * @param kind   how it is measured
 * @param peer   who is measured
 * @param url    in which database
 * @param jobs   how many jobs
 * @param params what else the kind wants to know
 */
record Task(Kind kind, Peer peer, String url, long postmaster, int jobs, Map<String, String> params) {
    /** The ways to measure. */
    enum Kind {
        DRAIN,
        FILL,
        ENQUEUE,
        LATENCY,
        PERMIT,
        NODES,
        CLUSTER,
        LIGHT_NODES,
        START,
        COLD,
        WORKER,
        LOOM,
        JDBC,
        FLOW
    }

    Task {
        params = Map.copyOf(params);
    }

    String param(String name, String otherwise) {
        return params.getOrDefault(name, otherwise);
    }

    int number(String name, int otherwise) {
        return Integer.parseInt(param(name, String.valueOf(otherwise)));
    }

    boolean is(String name) {
        return Boolean.parseBoolean(param(name, "false"));
    }

    /** How many jobs run at once. */
    int workers() {
        return number("workers", peer.workers());
    }

    Task as(Kind other) {
        return new Task(other, peer, url, postmaster, jobs, params);
    }

    Task with(String name, int value) {
        Map<String, String> more = new LinkedHashMap<>(params);
        more.put(name, String.valueOf(value));
        return new Task(kind, peer, url, postmaster, jobs, more);
    }

    List<String> arguments() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("kind", kind.name());
        all.put("peer", peer.id());
        all.put("url", url);
        all.put("postmaster", String.valueOf(postmaster));
        all.put("jobs", String.valueOf(jobs));
        all.putAll(params);
        return all.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .toList();
    }

    static Task parse(String... arguments) {
        Map<String, String> all = Arrays.stream(arguments)
                .map(argument -> argument.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
        return new Task(
                Kind.valueOf(all.remove("kind")),
                Peer.of(all.remove("peer")),
                all.remove("url"),
                Long.parseLong(all.remove("postmaster")),
                Integer.parseInt(all.remove("jobs")),
                all);
    }
}
