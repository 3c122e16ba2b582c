package dev.treadle.benchmark;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/** The published JDBC service (E4) as jobs: pools of three sizes, virtual threads, and those with bounded admission. */
final class JdbcPlan {
    static final String PLAIN = "jdbc";
    static final String WAITING = "jdbc-wait-2s";
    private static final int REQUESTS = 1_000;
    /** Published were 60 to 90. */
    private static final int CONNECTIONS = 80;

    private static final int WAIT_MILLIS = 2_000;
    /** Of connections: of those two cores keep busy, with some to spare. */
    private static final int FEW = 8;

    private final IntUnaryOperator scaled;
    private final BenchOptions options;

    JdbcPlan(IntUnaryOperator scaled, BenchOptions options) {
        this.scaled = scaled;
        this.options = options;
    }

    List<List<Cell>> groups() {
        return List.of(
                List.of(
                        virtual(PLAIN, 0, 0, 12.02),
                        pool(PLAIN, 10, 10.94),
                        pool(PLAIN, 100, 10.50),
                        pool(PLAIN, 300, 10.23),
                        virtual(PLAIN, 0, CONNECTIONS, 0),
                        virtual(PLAIN, 0, FEW, 0)),
                List.of(
                        virtual(WAITING, WAIT_MILLIS, 0, 13.34),
                        slowest(),
                        waiting(100),
                        waiting(300),
                        virtual(WAITING, WAIT_MILLIS, CONNECTIONS, 0),
                        virtual(WAITING, WAIT_MILLIS, FEW, 0)));
    }

    /** What others have published for a workload; null if it is none of these. */
    static String published(String workload) {
        return switch (workload) {
            case PLAIN ->
                "published (SoftwareMill + Quarkus, 2023): 1,000 requests, 60-90 connections, elapsed / mean s and MB/s: platform"
                        + " pool of 10: 10.94 / 4.11, 107; 100: 10.50 / 4.07, 108; 300: 10.23 / 3.92, 114; virtual 12.02 / 6.89, 97:"
                        + " 1.10 to 1.18 x the pool's time, and twice its heap";
            case WAITING ->
                "published: the same with 2 s of waiting in each request: pool of 10: 213.8 / 106.6, 5.5; virtual 13.34 / 8.15, 88 (16 x)";
            default -> "";
        };
    }

    private Cell virtual(String workload, int wait, int permits, double published) {
        String label = permits == 0 ? "virtual" : "virtual, db " + permits;
        return cell(workload, label, REQUESTS, params("virtual", REQUESTS, wait, permits, published));
    }

    private Cell pool(String workload, int threads, double published) {
        return cell(workload, "pool-" + threads, REQUESTS, params("pool", threads, 0, 0, published));
    }

    private Cell waiting(int threads) {
        return cell(WAITING, "pool-" + threads, REQUESTS, params("pool", threads, WAIT_MILLIS, 0, 0));
    }

    /** Its floor for all requests is 200 s: that once, and beside everything else for a tenth of them. */
    private Cell slowest() {
        boolean all = options.subject() == BenchOptions.Subject.ALL;
        int jobs = all ? REQUESTS / 10 : REQUESTS;
        Map<String, String> params = params("pool", 10, WAIT_MILLIS, 0, all ? 0 : 213.8);
        params.put("rounds", "1");
        return cell(WAITING, all ? "pool-10, 100 jobs" : "pool-10", jobs, params);
    }

    private static Map<String, String> params(String executor, int workers, int wait, int permits, double published) {
        Map<String, String> params = new HashMap<>();
        params.put("executor", executor);
        params.put("workers", String.valueOf(workers));
        params.put("wait", String.valueOf(wait));
        params.put("permits", String.valueOf(permits));
        params.put("connections", String.valueOf(CONNECTIONS));
        if (published > 0) {
            params.put("published", String.valueOf(published));
        }
        return params;
    }

    private Cell cell(String workload, String label, int jobs, Map<String, String> params) {
        int scaledJobs = scaled.applyAsInt(jobs);
        if (scaledJobs < jobs) {
            params.remove("published");
        }
        if (options.quick()) {
            params.computeIfPresent("wait", (name, wait) -> wait.equals("0") ? wait : "50");
        }
        return new Cell(workload, label, Peer.TREADLE, Task.Kind.JDBC, Cell.Storage.POSTGRES, scaledJobs, params, 0);
    }
}
