package dev.treadle.example.shop.experiment;

import dev.treadle.job.JobRequest;

/** Asks for a job that waits. */
record Block(int millis) implements JobRequest<Void> {}
