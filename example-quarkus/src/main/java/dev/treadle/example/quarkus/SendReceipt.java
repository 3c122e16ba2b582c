package dev.treadle.example.quarkus;

import dev.treadle.job.JobRequest;

/** Sends the receipt of an order. */
record SendReceipt(String order) implements JobRequest<Void> {}
