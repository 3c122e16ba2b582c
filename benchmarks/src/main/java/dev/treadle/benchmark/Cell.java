package dev.treadle.benchmark;

import java.util.Map;
import java.util.Optional;

/**
 * One contender in one workload: what is measured once in each round.
 *
 * @param workload what it is called in reports
 * @param label    what the contender is called in reports
 * @param storage  where the jobs are
 * @param filled   how many finished and how many scheduled jobs are there before
 */
record Cell(
        String workload,
        String label,
        Peer peer,
        Task.Kind kind,
        Storage storage,
        int jobs,
        Map<String, String> params,
        int filled) {

    /** The kinds of databases. */
    enum Storage {
        POSTGRES,
        H2_FILE,
        H2_MEMORY,
        MEMORY,
        NONE
    }

    static Cell of(String workload, Peer peer, Task.Kind kind, int jobs, Map<String, String> params) {
        return new Cell(workload, peer.id(), peer, kind, Storage.POSTGRES, jobs, params, 0);
    }

    /** How often it is measured at most: what takes minutes is not measured again. */
    int roundsMax() {
        return Integer.parseInt(params.getOrDefault("rounds", String.valueOf(BenchOptions.ROUNDS_MAX)));
    }

    /** What others have published for it, if they have. */
    Optional<Sample> published() {
        return Optional.ofNullable(params.get("published"))
                .map(figure -> Sample.of(Measure.PUBLISHED, Double.parseDouble(figure)));
    }

    Cell called(String other) {
        return new Cell(workload, other, peer, kind, storage, jobs, params, filled);
    }

    Cell on(Storage other) {
        return new Cell(workload, label, peer, kind, other, jobs, params, filled);
    }

    Cell filled(int before) {
        return new Cell(workload, label, peer, kind, storage, jobs, params, before);
    }
}
