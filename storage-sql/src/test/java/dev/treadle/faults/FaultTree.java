package dev.treadle.faults;

import dev.treadle.job.JobRequest;

/**
 * A job that spawns others and answers how many leaves there are below it.
 *
 * @param depth  how many levels are below it; a leaf has none
 * @param width  how many children a job that is no leaf spawns
 * @param millis how long a leaf takes
 */
public record FaultTree(int depth, int width, int millis) implements JobRequest<Integer> {
    FaultTree child() {
        return new FaultTree(depth - 1, width, millis);
    }

    int leaves() {
        return depth == 0 ? 1 : width * child().leaves();
    }

    /** All jobs of the tree, itself included. */
    int jobs() {
        return depth == 0 ? 1 : 1 + width * child().jobs();
    }
}
