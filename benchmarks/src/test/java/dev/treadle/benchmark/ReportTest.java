package dev.treadle.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
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
}
