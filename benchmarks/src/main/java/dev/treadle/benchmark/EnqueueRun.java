package dev.treadle.benchmark;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Jobs are put in, and nobody runs them: one by one from one thread or from many, or in bulk. */
final class EnqueueRun {
    static final int THREADS = 1_000;

    private final Task task;
    private final Database database;
    private final Contender contender;

    EnqueueRun(Task task, Database database, Contender contender) {
        this.task = task;
        this.database = database;
        this.contender = contender;
    }

    Sample measure() throws Exception {
        contender.prepare();
        int warm = Math.max(20, task.jobs() / 5);
        database.checkpoint();
        enqueue(warm);
        database.settle();
        Meter meter = Meter.begin(database, task.postmaster());
        long from = System.nanoTime();
        enqueue(task.jobs());
        double seconds = (System.nanoTime() - from) / 1e9;
        Sample cost = meter.perJob(task.jobs());
        if (contender.waiting() != warm + task.jobs()) {
            throw new IllegalStateException(
                    (warm + task.jobs()) + " jobs were enqueued, and " + contender.waiting() + " are there.");
        }
        return cost.with(Measure.JOBS_PER_SECOND, task.jobs() / seconds);
    }

    private void enqueue(int jobs) throws Exception {
        switch (task.param("mode", "one")) {
            case "one" -> {
                for (int i = 0; i < jobs; i++) {
                    contender.enqueueOne(Work.nothing(i));
                }
            }
            case "threads" -> fromManyThreads(jobs);
            case "bulk" -> contender.enqueueBulk(DrainRun.work(jobs, 0));
            default -> throw new IllegalArgumentException(task.param("mode", ""));
        }
    }

    /** Each thread puts in one job, waits for it to be committed, and takes the next. */
    private void fromManyThreads(int jobs) throws Exception {
        AtomicInteger next = new AtomicInteger();
        AtomicReference<Exception> failure = new AtomicReference<>();
        int threads = Math.min(THREADS, jobs);
        CountDownLatch done = new CountDownLatch(threads);
        for (int t = 0; t < threads; t++) {
            Thread.startVirtualThread(() -> {
                try {
                    for (int i; (i = next.getAndIncrement()) < jobs; ) {
                        contender.enqueueOne(Work.nothing(i));
                    }
                } catch (Exception e) {
                    failure.set(e);
                } finally {
                    done.countDown();
                }
            });
        }
        done.await();
        if (failure.get() != null) {
            throw failure.get();
        }
    }
}
