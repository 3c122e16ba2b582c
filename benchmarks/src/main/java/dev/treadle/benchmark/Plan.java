package dev.treadle.benchmark;

import dev.treadle.benchmark.BenchOptions.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Which cells a command line means, and how many jobs each has: as many as take its contender 5 to 20 s. */
final class Plan {
    static final int DRAIN_JOBS = 200_000;
    private static final int QUICK_PART = 100;

    private final BenchOptions options;

    Plan(BenchOptions options) {
        this.options = options;
    }

    /** Groups of cells that are interleaved with each other. */
    List<List<Cell>> groups() {
        List<List<Cell>> groups = new ArrayList<>();
        if (options.subject().includes(Subject.DRAIN)) {
            groups.add(drain());
        }
        return groups;
    }

    private List<Cell> drain() {
        List<Cell> cells = new ArrayList<>();
        for (Peer peer : Peer.values()) {
            if (isWanted(peer)) {
                cells.add(Cell.of("drain", peer, Task.Kind.DRAIN, drainJobs(peer), Map.of()));
            }
        }
        return cells;
    }

    private boolean isWanted(Peer peer) {
        return options.peers() || !peer.isForeign();
    }

    private int drainJobs(Peer peer) {
        return switch (peer) {
            case TREADLE, TREADLE_POOL, BARE -> scaled(DRAIN_JOBS);
            case DB_SCHEDULER -> scaled(40_000);
            case JOBRUNR -> scaled(12_000);
            case QUARTZ -> scaled(3_000);
        };
    }

    /** A full count in proportion to what was asked for. */
    private int scaled(int full) {
        double part =
                options.jobs() != null ? (double) options.jobs() / DRAIN_JOBS : options.quick() ? 1.0 / QUICK_PART : 1;
        return (int) Math.max(20, full * part);
    }
}
