package dev.treadle.benchmark;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One contender in one workload: what is measured once in each round.
 *
 * @param workload what it is called in reports
 * @param label    what the contender is called in reports
 * @param storage  where the jobs are
 * @param prepared the kind of database it begins with; null for an empty one
 */
record Cell(
        String workload,
        String label,
        Peer peer,
        Task.Kind kind,
        Storage storage,
        int jobs,
        Map<String, String> params,
        @Nullable String prepared) {

    /** The kinds of databases. */
    enum Storage {
        POSTGRES,
        H2_FILE,
        H2_MEMORY
    }

    static Cell of(String workload, Peer peer, Task.Kind kind, int jobs, Map<String, String> params) {
        return new Cell(workload, peer.id(), peer, kind, Storage.POSTGRES, jobs, params, null);
    }

    Cell on(Storage other) {
        return new Cell(workload, label, peer, kind, other, jobs, params, prepared);
    }

    Cell preparedWith(String kindOfDatabase) {
        return new Cell(workload, label, peer, kind, storage, jobs, params, kindOfDatabase);
    }
}
