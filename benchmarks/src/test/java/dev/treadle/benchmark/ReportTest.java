package dev.treadle.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReportTest {
    @Test
    void a_line_for_machines_holds_medians_and_no_columns_for_people() {
        Series series = new Series("drain", "treadle");
        for (double speed : new double[] {30_000, 10_000, 20_000.25}) {
            series.add(
                    Sample.of(Measure.JOBS_PER_SECOND, speed)
                            .with(Measure.WAL_BYTES, 900)
                            .with(Measure.STATEMENTS, 0.01)
                            .with(Measure.RESIDENT, 200),
                    false);
        }
        assertEquals(
                "{\"workload\":\"drain\",\"peer\":\"treadle\",\"jobs_per_s\":20000.3,"
                        + "\"wal_bytes_per_job\":900.0,\"statements_per_job\":0.0100}",
                JsonReport.line(series));
    }

    @Test
    void latencies_and_times_have_fields_of_their_own() {
        Series latency = new Series("latency-other-jvm", "jobrunr");
        latency.add(Sample.of(Measure.P50_MILLIS, 2.5).with(Measure.P99_MILLIS, 8), false);
        assertEquals(
                "{\"workload\":\"latency-other-jvm\",\"peer\":\"jobrunr\",\"p50_ms\":2.50,\"p99_ms\":8.00}",
                JsonReport.line(latency));
        Series blocking = new Series("blocking", "bare");
        blocking.add(Sample.of(Measure.SECONDS, 0.4), false);
        assertEquals("{\"workload\":\"blocking\",\"peer\":\"bare\",\"seconds\":0.400}", JsonReport.line(blocking));
    }

    @Test
    void a_table_has_medians_ranges_and_ratios_to_its_first_row() {
        Series treadle = new Series("drain", "treadle");
        treadle.add(Sample.of(Measure.JOBS_PER_SECOND, 1_000), false);
        treadle.add(Sample.of(Measure.JOBS_PER_SECOND, 3_000), false);
        Series quartz = new Series("drain", "quartz");
        quartz.add(Sample.of(Measure.JOBS_PER_SECOND, 20).with(Measure.WAL_BYTES, 5_000), false);
        assertEquals("""
                | drain   | jobs/s |     min-max | ratio | WAL B/job |
                |---------|-------:|------------:|------:|----------:|
                | treadle |  2,000 | 1,000-3,000 |  1.00 |         – |
                | quartz  |     20 |       20-20 | 0.010 |     5,000 |""", new TableReport(List.of(treadle, quartz)).text());
    }

    @Test
    void a_page_keeps_what_was_written_by_hand() {
        String page = "# Performance\n\nBy hand.\n\n<!-- bench:drain -->\nold\n<!-- /bench -->\n\nMore by hand.\n";
        String once = PerformancePage.replaced(page, "drain", "new\n");
        assertEquals(
                "# Performance\n\nBy hand.\n\n<!-- bench:drain -->\nnew\n<!-- /bench -->\n\nMore by hand.\n", once);
        assertEquals(once, PerformancePage.replaced(once, "drain", "new"));
        assertEquals(
                "# P\n\n<!-- bench:h2 -->\ntable\n<!-- /bench -->\n", PerformancePage.replaced("# P\n", "h2", "table"));
        assertThrows(
                IllegalArgumentException.class, () -> PerformancePage.replaced("<!-- bench:h2 -->\n", "h2", "table"));
    }

    @Test
    void what_one_process_measures_another_reads() {
        Sample sample = Sample.of(Measure.JOBS_PER_SECOND, 1.5).with(Measure.GC_MILLIS, 3);
        assertEquals(sample, Sample.parse(sample.line()));
    }

    @Test
    void what_differs_in_one_thing_is_a_part_of_what_does_not() {
        Series pinned = new Series("pinned", "treadle");
        pinned.add(Sample.of(Measure.JOBS_PER_SECOND, 900), true);
        Series free = new Series(Plan.base("pinned").orElseThrow(), "treadle");
        free.add(Sample.of(Measure.JOBS_PER_SECOND, 1_000), false);
        pinned.compareWith(free);
        assertEquals(0.9, pinned.median(Measure.OF_BASE));
        assertEquals(1, pinned.noisyRounds());
        assertEquals(Optional.empty(), Plan.base("drain"));
    }

    @Test
    void a_published_figure_stands_beside_ours_and_not_in_the_lines_for_machines() {
        Cell cell = Cell.of("blocking-100000", Peer.TREADLE, Task.Kind.DRAIN, 1, Map.of("published", "0.672"));
        Series series = new Series(cell.workload(), cell.label());
        series.add(Sample.of(Measure.SECONDS, 2).with(cell.published().orElseThrow()), false);
        assertTrue(new TableReport(List.of(series)).text().contains(" 0.672 |"));
        assertEquals(
                "{\"workload\":\"blocking-100000\",\"peer\":\"treadle\",\"seconds\":2.000}", JsonReport.line(series));
        assertEquals("14,625,956", Measure.PUBLISHED.text(14_625_956));
    }
}
