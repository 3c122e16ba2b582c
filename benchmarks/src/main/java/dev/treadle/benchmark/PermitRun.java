package dev.treadle.benchmark;

import java.time.Duration;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * How long a due job waits beside a free permit: from the end of the job that held the permit to the start of the next one.
 * Each wave has more jobs than there are permits. Every second wave is enqueued one by one, so that the jobs that take the
 * permits are born leased; the others come in bulk, and all are claimed.
 */
final class PermitRun {
    private static final int WORKERS = 4;
    /** Jobs of a wave. All but the first {@link #WORKERS} have to wait. */
    private static final int WAVE = 12;

    private static final int MILLIS_MIN = 10;
    private static final int MILLIS_SPREAD = 20;
    /** Long enough for the server to come to rest, and different each time. */
    private static final int PAUSE_MILLIS_MIN = 20;

    private static final int PAUSE_MILLIS_SPREAD = 130;
    private static final int WARM_WAVES = 30;

    private final Task task;
    private final Database database;
    private final Contender contender;
    private final JobBody body;

    PermitRun(Task task, Database database, Contender contender, JobBody body) {
        this.task = task;
        this.database = database;
        this.contender = contender;
        this.body = body;
    }

    Sample measure() throws Exception {
        contender.prepare();
        contender.startWorkers(WORKERS);
        waves(task.number("warm", WARM_WAVES));
        int waves = Math.max(1, task.jobs() / WAVE);
        Meter meter = Meter.begin(database, task.postmaster());
        double[] millis = waves(waves);
        Sample cost = meter.perJob(waves * WAVE);
        contender.stopWorkers();
        return cost.with(Measure.P50_MILLIS, Stats.percentile(50, millis))
                .with(Measure.P99_MILLIS, Stats.percentile(99, millis))
                .with(Measure.MAX_MILLIS, Stats.max(millis));
    }

    /** How long each job of so many waves waited beside a free permit, in milliseconds. */
    private double[] waves(int waves) throws Exception {
        double[] millis = new double[waves * (WAVE - WORKERS)];
        for (int wave = 0; wave < waves; wave++) {
            double[] waits = wave(wave % 2 == 0);
            System.arraycopy(waits, 0, millis, wave * waits.length, waits.length);
            Thread.sleep(PAUSE_MILLIS_MIN + wave * 37 % PAUSE_MILLIS_SPREAD);
        }
        return millis;
    }

    private double[] wave(boolean isOneByOne) throws Exception {
        TimedLog log = new TimedLog(WAVE);
        body.noteIn(log);
        long[] enqueued = new long[WAVE];
        if (isOneByOne) {
            for (int i = 0; i < WAVE; i++) {
                contender.enqueueOne(work(i));
                enqueued[i] = System.nanoTime();
            }
        } else {
            contender.enqueueBulk(IntStream.range(0, WAVE).mapToObj(PermitRun::work));
            Arrays.fill(enqueued, System.nanoTime());
        }
        log.await(Duration.ofMinutes(1));
        log.verify();
        return waits(log.latencies(), log.ends(), enqueued);
    }

    private static Work work(int number) {
        return new Work(number, 0, MILLIS_MIN + number * 7 % MILLIS_SPREAD);
    }

    /**
     * The n-th end makes room for the start that comes n-th after those that found room at once.
     *
     * @param begins   when each job began, in nanoseconds, as the next
     * @param ends     when each ended
     * @param enqueued when each was committed, at the latest
     */
    static double[] waits(long[] begins, long[] ends, long[] enqueued) {
        Integer[] byBegin = IntStream.range(0, begins.length).boxed().toArray(Integer[]::new);
        Arrays.sort(byBegin, (one, other) -> Long.compare(begins[one], begins[other]));
        long[] freed = ends.clone();
        Arrays.sort(freed);
        double[] millis = new double[begins.length - WORKERS];
        for (int i = 0; i < millis.length; i++) {
            int job = byBegin[WORKERS + i];
            millis[i] = Math.max(0, begins[job] - Math.max(freed[i], enqueued[job])) / 1e6;
        }
        return millis;
    }

    /** Says when each job ended, too. */
    private static final class TimedLog extends RunLog {
        private final long[] ends;

        TimedLog(int jobs) {
            super(jobs);
            this.ends = new long[jobs];
        }

        @Override
        void ended(Work work) {
            // before it counts as run, so that the waiting thread sees it
            ends[work.number()] = System.nanoTime();
            super.ended(work);
        }

        long[] ends() {
            return ends.clone();
        }
    }
}
