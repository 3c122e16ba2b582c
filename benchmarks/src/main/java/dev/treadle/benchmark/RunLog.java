package dev.treadle.benchmark;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Counts what has run, job by job, so that no contender can be fast by losing or repeating some. Thread-safe. */
class RunLog {
    private final AtomicIntegerArray runs;
    private final long[] latencies;
    private final LongAdder different = new LongAdder();
    private final LongAdder total = new LongAdder();
    private final AtomicLong firstAt = new AtomicLong();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger inFlightMax = new AtomicInteger();

    /** @param jobs numbers from 0 to this are expected */
    RunLog(int jobs) {
        this.runs = new AtomicIntegerArray(jobs);
        this.latencies = new long[jobs];
    }

    void began(Work work, long now) {
        if (firstAt.getPlain() == 0) {
            firstAt.compareAndSet(0, now);
        }
        latencies[work.number()] = now - work.sentAt();
        if (work.millis() > 0) {
            inFlightMax.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
        }
    }

    void ended(Work work) {
        if (work.millis() > 0) {
            inFlight.decrementAndGet();
        }
        total.increment();
        if (runs.getAndIncrement(work.number()) == 0) {
            different.increment();
        }
    }

    int jobs() {
        return runs.length();
    }

    /** How many different jobs have run. */
    long different() {
        return different.sum();
    }

    /** How many times jobs have run, repetitions included. */
    long total() {
        return total.sum();
    }

    /** How many jobs that block were running at once at most. */
    int inFlightMax() {
        return inFlightMax.get();
    }

    /** When the first job began, in nanoseconds; 0 if none has. */
    long firstAt() {
        return firstAt.get();
    }

    /** From when each job was meant to be sent until it began, in nanoseconds. */
    long[] latencies() {
        return latencies.clone();
    }

    /** Waits until each job has run. */
    void await(Duration patience) throws InterruptedException {
        long until = System.nanoTime() + patience.toNanos();
        while (different() < jobs()) {
            if (System.nanoTime() > until) {
                throw new IllegalStateException(
                        "Only " + different() + " of " + jobs() + " jobs have run after " + patience + ".");
            }
            Thread.sleep(1);
        }
    }

    /** @throws IllegalStateException if a job has not run, or some ran again although nothing failed */
    void verify() {
        if (different() != jobs() || total() != jobs()) {
            throw new IllegalStateException(
                    total() + " runs of " + different() + " different jobs, and " + jobs() + " were enqueued.");
        }
    }
}
