package dev.treadle.benchmark;

/** Makes a database that has seen a lot: so many jobs finished, and as many that are not due for a day. */
final class FillRun {
    private final Task task;
    private final Database database;
    private final Contender contender;
    private final JobBody body;

    FillRun(Task task, Database database, Contender contender, JobBody body) {
        this.task = task;
        this.database = database;
        this.contender = contender;
        this.body = body;
    }

    Sample fill() throws Exception {
        contender.prepare();
        RunLog log = new RunLog(task.jobs());
        body.noteIn(log);
        contender.enqueueBulk(DrainRun.work(task.jobs(), 0));
        contender.startWorkers(task.workers());
        log.await(DrainRun.PATIENCE);
        DrainRun.awaitDrained(contender);
        contender.stopWorkers();
        contender.scheduleBulk(DrainRun.work(task.jobs(), 0));
        database.settle();
        return Sample.of(Measure.SECONDS, 0);
    }
}
