package dev.treadle.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All that was measured of one contender in one workload. For one thread. */
final class Series {
    private final String workload;
    private final String peer;
    private final List<Sample> samples = new ArrayList<>();
    private int noisyRounds;

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

    /** @param noisy whether others used the machine at the same time */
    void add(Sample sample, boolean noisy) {
        samples.add(sample);
        noisyRounds += noisy ? 1 : 0;
    }

    /** In how many rounds others used the machine. */
    int noisyRounds() {
        return noisyRounds;
    }

    /** Notes how fast this is as a part of how fast another one is. */
    void compareWith(Series base) {
        headline().filter(base::has).ifPresent(measure -> {
            double part = median(measure) / base.median(measure);
            samples.replaceAll(sample -> sample.with(Measure.OF_BASE, part));
        });
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
