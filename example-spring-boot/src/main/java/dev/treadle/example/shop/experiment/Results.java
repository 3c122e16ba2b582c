package dev.treadle.example.shop.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The rounds of one setup. For one thread. */
final class Results {
    /** What was measured in one process. */
    record Round(Measured requests, Measured tasks, Measured jobs) {}

    private final List<Round> rounds = new ArrayList<>();

    void add(Round round) {
        rounds.add(round);
    }

    /** The median of the rounds; the lower one of two. */
    double median(Function<Round, Measured> kind, ToDoubleFunction<Measured> figure) {
        double[] sorted = rounds.stream().map(kind).mapToDouble(figure).sorted().toArray();
        return sorted[(sorted.length - 1) / 2];
    }
}
