package dev.treadle.benchmark;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The in-process hot paths under JMH: nanoseconds and bytes for each call, each fork one round. */
final class JmhRun {
    private static final int ITERATIONS = 5;
    private static final TimeValue ITERATION = TimeValue.seconds(1);

    private JmhRun() {}

    static List<Series> measure(int rounds, boolean quick) {
        Options options = new OptionsBuilder()
                .include(HotPaths.class.getName() + "\\.")
                .mode(Mode.AverageTime)
                .timeUnit(TimeUnit.NANOSECONDS)
                .forks(quick ? 0 : rounds)
                .warmupIterations(quick ? 1 : ITERATIONS)
                .warmupTime(quick ? TimeValue.milliseconds(20) : ITERATION)
                .measurementIterations(quick ? 1 : ITERATIONS)
                .measurementTime(quick ? TimeValue.milliseconds(20) : ITERATION)
                .addProfiler(GCProfiler.class)
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true)
                .build();
        try {
            return series(new Runner(options).run());
        } catch (RunnerException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Series> series(Collection<RunResult> results) {
        List<Series> all = new ArrayList<>();
        for (RunResult result : results) {
            String name = result.getParams().getBenchmark();
            Series series = new Series("jmh-" + name.substring(name.lastIndexOf('.') + 1), "treadle");
            result.getBenchmarkResults().forEach(fork -> series.add(sample(fork), false));
            all.add(series);
        }
        return all;
    }

    @SuppressWarnings("rawtypes") // as JMH declares it
    private static Sample sample(BenchmarkResult fork) {
        Sample sample =
                Sample.of(Measure.NANOS_PER_CALL, fork.getPrimaryResult().getScore());
        return fork.getSecondaryResults().entrySet().stream()
                .filter(entry -> entry.getKey().endsWith("gc.alloc.rate.norm"))
                .findFirst()
                .map(entry -> sample.with(Measure.ALLOCATED, entry.getValue().getScore()))
                .orElse(sample);
    }
}
