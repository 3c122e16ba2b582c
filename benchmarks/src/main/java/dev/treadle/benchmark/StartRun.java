package dev.treadle.benchmark;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * From the launch of a JVM until its first job is done and written down, on tables that are there: again and again, each
 * in a fresh process.
 */
final class StartRun {
    private static final int TIMES = 7;
    /** Until programs and database files are in the machine's memory. */
    private static final int WARM_TIMES = 2;

    private final Task task;
    private final Database database;
    private final Contender contender;

    StartRun(Task task, Database database, Contender contender) {
        this.task = task;
        this.database = database;
        this.contender = contender;
    }

    /** The median of each step, so that steps of different starts may not add up to the whole. */
    Sample measure() throws Exception {
        contender.prepare();
        if (!task.is("archive")) {
            return measure(task);
        }
        try (ClassArchive archive = new ClassArchive()) {
            start(archive.writing(task));
            return measure(archive.reading(task));
        }
    }

    private Sample measure(Task task) throws Exception {
        for (int i = 0; i < task.number("warm", WARM_TIMES); i++) {
            start(task);
        }
        Map<Measure, double[]> all = new EnumMap<>(Measure.class);
        int times = task.number("times", TIMES);
        for (int i = 0; i < times; i++) {
            int at = i;
            start(task)
                    .values()
                    .forEach((measure, value) -> all.computeIfAbsent(measure, any -> new double[times])[at] = value);
        }
        Map<Measure, Double> medians = new EnumMap<>(Measure.class);
        all.forEach((measure, values) -> medians.put(measure, Stats.median(values)));
        return new Sample(medians);
    }

    private Sample start(Task task) throws Exception {
        contender.enqueueOne(Work.nothing(0));
        double statements = Meter.statements(database);
        long launched = System.nanoTime();
        try (ChildJvm server = new ChildJvm(task.as(Task.Kind.START), StartMain.class)) {
            StartMain.Moments moments = StartMain.Moments.parse(server.answer());
            DrainRun.awaitDrained(contender, 1);
            long done = System.nanoTime();
            List<Long> pid = List.of(server.pid());
            Sample sample = Sample.of(Measure.SECONDS, (done - launched) / 1e9)
                    .with(Measure.START_JVM, millis(moments.main() - launched))
                    .with(Measure.START_OPEN, millis(moments.opened() - moments.main()))
                    .with(Measure.START_SERVER, millis(moments.started() - moments.opened()))
                    .with(Measure.START_FIRST, millis(moments.began() - moments.started()))
                    .with(Measure.START_WRITTEN, millis(done - moments.ran()))
                    .with(Measure.START_CPU, ProcessTimes.micros(pid) / 1e3)
                    .with(Measure.RESIDENT, ProcessTimes.residentPeak(pid) / (1024 * 1024))
                    .with(Measure.STATEMENTS, Meter.statements(database) - statements);
            return sample.with(ClassLoading.of(server.pid()));
        }
    }

    private static double millis(long nanos) {
        return nanos / 1e6;
    }
}
