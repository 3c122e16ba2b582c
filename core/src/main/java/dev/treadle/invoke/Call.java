package dev.treadle.invoke;

public interface Call {
    void run(dev.treadle.job.JobContext c) throws Throwable;
}
