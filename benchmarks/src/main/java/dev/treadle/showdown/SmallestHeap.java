package dev.treadle.showdown;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Searches the smallest heap at which all slips are made, for each executor and renderer. */
final class SmallestHeap {
    private static final int FIRST_MB = 64;
    private static final int LEAST_MB = 8;
    /** How many runs a search takes, about. */
    static final int RUNS_EXPECTED = 8;

    private final Plan plan;
    private final ShowdownOptions options;
    private final Track track;
    private final RawFolder raw;
    private final PrintStream progress;

    SmallestHeap(Plan plan, ShowdownOptions options, Track track, RawFolder raw, PrintStream progress) {
        this.plan = plan;
        this.options = options;
        this.track = track;
        this.raw = raw;
        this.progress = progress;
    }

    void find() throws IOException, InterruptedException {
        for (Setup setup : plan.defaults()) {
            SmallestRow found = find(setup);
            // what was found of others stays, so that each renderer can have as many slips as there is time for
            List<SmallestRow> rows = new ArrayList<>(raw.smallest());
            rows.removeIf(row -> row.contender().equals(found.contender())
                    && row.renderer().equals(found.renderer())
                    && row.permits() == found.permits());
            rows.add(found);
            raw.writeSmallest(rows);
        }
    }

    private SmallestRow find(Setup setup) throws IOException, InterruptedException {
        Bisection bisection = new Bisection(FIRST_MB, LEAST_MB, options.heap());
        Duration limit = plan.limit(setup, 0);
        Optional<Integer> smallest = bisection.find(heap -> {
            SlipJvm.Ended ended = track.attempt(setup, heap, limit);
            progress.println("  " + setup.contender().label() + ", " + setup.renderer() + ", " + setup.permits()
                    + " permits, -Xmx" + heap + "m: " + ended.fate().printed()
                    + (ended.how().isEmpty() ? "" : " (" + ended.how() + ")"));
            return ended;
        });
        Optional<Bisection.Tried> below = bisection.tooSmall();
        return new SmallestRow(
                setup.contender().label(),
                setup.renderer(),
                setup.permits(),
                options.employees(),
                options.timeClock(),
                smallest.orElse(0),
                below.map(Bisection.Tried::size).orElse(0),
                below.map(one -> one.ended().fate()).orElse(Fate.FINISHED),
                below.map(one -> one.ended().how()).orElse(""),
                bisection.tried().size(),
                bisection.tried().stream().map(Bisection.Tried::toString).collect(Collectors.joining("; ")));
    }
}
