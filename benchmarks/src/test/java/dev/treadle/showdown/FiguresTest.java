package dev.treadle.showdown;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FiguresTest {
    private static final RunRow RUN =
            new RunRow("r", "JDK 25 pool", "fop", 16, true, 1, 4, "0s", 512, Fate.FINISHED, "", 2_500, 4, 900, 0, "");

    private static final List<Collected> COLLECTIONS = List.of(
            new Collected(-40, "G1Full", "System.gc()", 90, 10, 5_000),
            new Collected(500, "G1New", "G1 Evacuation Pause", 50, 20, 1_000),
            new Collected(700, "G1Old", "G1 Evacuation Pause", 0, 0, 500),
            new Collected(900, "G1New", "G1 Evacuation Pause", 80, 25, 2_000),
            new Collected(2_600, "G1Full", "System.gc()", 75, 12, 9_000));

    @Test
    void figures_come_from_samples_and_collections_of_the_run_alone() {
        List<Sample> samples = List.of(
                new Sample(5, 11, 100, 1_000_000_000L, 20, 9),
                new Sample(255, 79, 120, 2_000_000_000L, 33, 9),
                new Sample(2_255, 30, 110, 4_000_000_000L, 31, 0),
                new Sample(2_755, 90, 130, 5_000_000_000L, 40, 10),
                new Sample(3_005, 90, 130, 9_000_000_000L, 40, 10));

        Figures figures = Figures.of(RUN, samples, COLLECTIONS);

        assertEquals(2.5, figures.wallSeconds());
        assertEquals(120, figures.heapSize());
        assertEquals(79, figures.usedPeak());
        assertEquals(25, figures.liveMax());
        assertEquals(12, figures.liveEnd());
        assertEquals((40 + 60 + 50) / 4.0, figures.allocatedPerSlip());
        assertEquals(
                3 + 0.49, figures.cpuSeconds(), 1e-9, "half of what was used from 2,255 to 2,755, in which it ended");
        assertEquals(33, figures.threads());
        assertEquals(9, figures.running());
        assertEquals(3, figures.collections());
        assertEquals(3.5, figures.pausesMillis());
        assertEquals(900, figures.residentBytes());
    }

    @Test
    void a_run_of_which_nothing_was_seen_has_figures_of_zero() {
        Figures figures = Figures.of(RUN, List.of(), List.of());

        assertEquals(0, figures.usedPeak());
        assertEquals(0, figures.allocatedPerSlip());
        assertEquals(0, figures.cpuSeconds());
    }

    @Test
    void the_window_goes_from_the_last_collection_before_the_run_to_the_full_one_after_it() {
        List<Collected> all = new ArrayList<>();
        all.add(new Collected(-9_000, "G1Full", "System.gc()", 70, 9, 5_000));
        all.addAll(COLLECTIONS);
        all.add(new Collected(3_000, "G1New", "G1 Evacuation Pause", 40, 13, 100));

        assertEquals(COLLECTIONS, Recording.window(all, 2_500));
    }
}
