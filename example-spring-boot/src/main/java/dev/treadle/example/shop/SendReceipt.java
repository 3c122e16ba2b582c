package dev.treadle.example.shop;

import dev.treadle.job.JobRequest;

/** Asks for the receipt of an order. */
record SendReceipt(String order) implements JobRequest<Void> {}
