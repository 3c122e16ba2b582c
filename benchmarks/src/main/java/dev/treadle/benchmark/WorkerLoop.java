package dev.treadle.benchmark;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.util.stream.LongStream;

/** A process that runs jobs when it is told to, line by line on its standard input, and says what has run. */
final class WorkerLoop {
    private final Task task;
    private final Contender contender;
    private final JobBody body;
    private RunLog log = new RunLog(0);

    /**
     * What a worker process has run since it was told to start.
     *
     * @param total     runs, repetitions included
     * @param firstAt   when the first began, in nanoseconds that all processes share
     * @param p50Millis from when jobs were meant to be sent until they began
     */
    record Report(long total, long firstAt, double p50Millis, double p99Millis) {
        static Report parse(String line) {
            String[] parts = line.split(" ");
            return new Report(
                    Long.parseLong(parts[1]),
                    Long.parseLong(parts[2]),
                    Double.parseDouble(parts[3]),
                    Double.parseDouble(parts[4]));
        }
    }

    WorkerLoop(Task task, Contender contender, JobBody body) {
        this.task = task;
        this.contender = contender;
        this.body = body;
    }

    void run() throws Exception {
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()));
        for (String order; (order = orders.readLine()) != null; ) {
            System.out.println(Sample.MARK + " " + follow(order));
        }
        contender.stopWorkers();
    }

    private String follow(String order) throws Exception {
        String[] words = order.split(" ");
        return switch (words[0]) {
            case "note" -> {
                log = new RunLog(Integer.parseInt(words[1]));
                body.noteIn(log);
                yield "noting";
            }
            case "start" -> {
                contender.startWorkers(task.workers());
                yield "started";
            }
            case "stop" -> {
                contender.stopWorkers();
                yield "stopped";
            }
            case "count" -> String.valueOf(log.total());
            case "report" -> report();
            default -> throw new IOException("There is no order '" + order + "'.");
        };
    }

    private String report() {
        double[] millis = LongStream.of(log.latencies())
                .filter(nanos -> nanos != 0)
                .mapToDouble(nanos -> nanos / 1e6)
                .toArray();
        return millis.length == 0
                ? "0 0 0 0"
                : log.total() + " " + log.firstAt() + " " + Stats.percentile(50, millis) + " "
                        + Stats.percentile(99, millis);
    }
}
