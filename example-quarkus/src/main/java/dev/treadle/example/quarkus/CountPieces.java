package dev.treadle.example.quarkus;

import dev.treadle.job.JobRequest;

/** Counts the pieces of an order. */
record CountPieces(String order) implements JobRequest<Integer> {}
