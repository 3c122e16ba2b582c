package dev.treadle.benchmark;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/** Jobs that are made of jobs, each beside as many that are not, and beside DBOS where that is asked for. */
final class FlowPlan {
    private static final String CHILDREN = "flow";
    private static final String NESTED = "flow-nested";
    private static final String ASLEEP = "flow-asleep";
    private static final String OPEN = "flow-open";

    private static final int JOBS = 1_000_000;
    /** As many take about as long. */
    private static final int DBOS_JOBS = 10_000;

    private static final int SLEEPERS = 100_000;
    private static final int CHAINS = 300;

    private final IntUnaryOperator scaled;
    private final BenchOptions options;

    FlowPlan(IntUnaryOperator scaled, BenchOptions options) {
        this.scaled = scaled;
        this.options = options;
    }

    List<List<Cell>> groups() {
        List<Cell> children = new ArrayList<>(List.of(
                cell(CHILDREN, "treadle, plain", Peer.TREADLE, JOBS, FlowRun.Shape.PLAIN),
                cell(CHILDREN, "treadle, children", Peer.TREADLE, JOBS, FlowRun.Shape.CHILDREN)));
        List<Cell> nested = new ArrayList<>(List.of(
                cell(NESTED, "treadle, plain", Peer.TREADLE, JOBS, FlowRun.Shape.PLAIN),
                cell(NESTED, "treadle, nested", Peer.TREADLE, JOBS, FlowRun.Shape.NESTED)));
        List<Cell> open = new ArrayList<>(List.of(open("treadle", Peer.TREADLE)));
        if (options.peers()) {
            children.add(cell(CHILDREN, "dbos, plain", Peer.DBOS, DBOS_JOBS, FlowRun.Shape.PLAIN));
            children.add(cell(CHILDREN, "dbos, children", Peer.DBOS, DBOS_JOBS, FlowRun.Shape.CHILDREN));
            nested.add(cell(NESTED, "dbos, nested", Peer.DBOS, DBOS_JOBS, FlowRun.Shape.NESTED));
            open.add(open("dbos", Peer.DBOS));
        }
        return List.of(children, nested, List.of(asleep("none asleep", 0), asleep("asleep", sleepers())), open);
    }

    /** What has to be known to read a table; empty if nothing. */
    static String note(String workload) {
        return switch (workload) {
            case CHILDREN ->
                "plain: as many jobs without a parent, enqueued in bulk while the server runs. JobRunr has batches and results in"
                        + " its Pro version only, so it is not here. DBOS has no call that starts many workflows";
            case NESTED ->
                "one job spawns the square root of the number, each of these as many, and each waits for its own";
            case ASLEEP ->
                "each spawns a job that awaits an event, and joins it; both wait. Measured while nothing happens";
            case OPEN -> "from the end of the child's code until the parent's code goes on, in one process";
            default -> "";
        };
    }

    private int sleepers() {
        return scaled.applyAsInt(SLEEPERS);
    }

    private Cell asleep(String label, int sleepers) {
        Map<String, String> params = Map.of(
                "shape",
                FlowRun.Shape.ASLEEP.name(),
                "asleep",
                String.valueOf(sleepers),
                "idle",
                options.quick() ? "5" : "20");
        return Cell.of(ASLEEP, Peer.TREADLE, Task.Kind.FLOW, sleepers(), params)
                .called(sleepers == 0 ? "treadle, none asleep" : "treadle, " + sleepers + " " + label);
    }

    private Cell open(String label, Peer peer) {
        // why not scaled: percentiles of few mean nothing
        int jobs = options.quick() ? 40 : CHAINS;
        return Cell.of(OPEN, peer, Task.Kind.FLOW, jobs, Map.of("shape", FlowRun.Shape.OPEN.name()))
                .called(label);
    }

    private Cell cell(String workload, String label, Peer peer, int jobs, FlowRun.Shape shape) {
        Map<String, String> params = new HashMap<>(Map.of("shape", shape.name()));
        return Cell.of(workload, peer, Task.Kind.FLOW, scaled.applyAsInt(jobs), params)
                .called(label);
    }
}
