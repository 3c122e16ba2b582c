package dev.treadle.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All that was measured of one contender in one workload. For one thread. */
final class Series {
    private final String workload;
    private final String peer;
    private final List<Sample> samples = new ArrayList<>();

    Series(String workload, String peer) {
        this.workload = workload;
        this.peer = peer;
    }

    String workload() {
        return workload;
    }

    String peer() {
        return peer;
    }

    void add(Sample sample) {
        samples.add(sample);
    }

    int rounds() {
        return samples.size();
    }

    boolean has(Measure measure) {
        return values(measure).length > 0;
    }

    double median(Measure measure) {
        return Stats.median(values(measure));
    }

    double[] values(Measure measure) {
        return samples.stream()
                .filter(sample -> sample.values().containsKey(measure))
                .mapToDouble(sample -> sample.values().get(measure))
                .toArray();
    }

    /** What says how fast it is; empty if nothing was measured. */
    Optional<Measure> headline() {
        return Measure.headlines().stream().filter(this::has).findFirst();
    }
}
