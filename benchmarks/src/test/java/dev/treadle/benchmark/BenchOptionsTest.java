package dev.treadle.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.benchmark.BenchOptions.Subject;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BenchOptionsTest {
    @Test
    void without_a_word_everything_is_measured_as_often_as_it_ends_in_time() {
        BenchOptions all = BenchOptions.parse();
        assertEquals(new BenchOptions(Subject.ALL, false, false, null, null, null, false), all);
        Group group = new Group(List.of(), 3);
        assertEquals(3, all.roundsOf(group));
        assertTrue(all.isBounded());
        assertEquals(5, BenchOptions.parse("drain").roundsOf(group));
        assertFalse(BenchOptions.parse("--rounds", "2").isBounded());
        assertEquals(2, BenchOptions.parse("--rounds", "2").roundsOf(group));
    }

    @Test
    void all_that_can_be_said() {
        assertEquals(
                new BenchOptions(Subject.DRAIN, true, true, 3, 5_000, Path.of("page.md"), false),
                BenchOptions.parse(
                        "drain", "--peers", "--json", "--rounds", "3", "--jobs", "5000", "--doc", "page.md"));
        assertEquals(1, BenchOptions.parse("h2", "--quick").roundsOf(new Group(List.of(), 3)));
        assertEquals(2, BenchOptions.parse("--quick", "--rounds", "2").rounds());
    }

    @ParameterizedTest
    @ValueSource(strings = {"everything", "--fast", "--rounds", "--rounds 0", "--jobs ten", "drain enqueue", "--doc"})
    void what_cannot_be_meant_is_refused_in_a_sentence(String line) {
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> BenchOptions.parse(line.split(" ")));
        assertTrue(refused.getMessage().endsWith(".") || refused.getMessage().endsWith("value."));
    }

    @Test
    void each_subject_has_something_to_measure_and_peers_only_when_asked() {
        for (Subject subject : Subject.values()) {
            if (subject != Subject.JMH) {
                assertTrue(!cells(subject.name()).isEmpty(), subject::name);
            }
        }
        assertTrue(cells("all").stream().noneMatch(cell -> cell.peer().isForeign()));
        assertTrue(cells("all", "--peers").stream().anyMatch(cell -> cell.peer() == Peer.QUARTZ));
    }

    @Test
    void job_counts_keep_their_proportion() {
        Map<Peer, Integer> jobs = Map.of(Peer.TREADLE, 20_000, Peer.DB_SCHEDULER, 1_500, Peer.QUARTZ, 100);
        List<Cell> cells = cells("drain", "--peers", "--jobs", "20000");
        jobs.forEach((peer, count) ->
                assertTrue(cells.stream().anyMatch(cell -> cell.peer() == peer && cell.jobs() == count), peer::id));
    }

    @Test
    void a_task_survives_the_command_line() {
        Task task = new Task(
                Task.Kind.DRAIN,
                Peer.BARE,
                "jdbc:postgresql://x/y?a=b",
                42,
                7,
                Map.of("pinned", "true", "heap", "256"));
        assertEquals(task, Task.parse(task.arguments().toArray(String[]::new)));
    }

    @Test
    void work_survives_being_written_by_hand() {
        Work work = new Work(123, System.nanoTime(), 100);
        assertEquals(work, BarePayload.read(BarePayload.write(work)));
    }

    private static List<Cell> cells(String... arguments) {
        return new Plan(BenchOptions.parse(arguments))
                .groups().stream().flatMap(group -> group.cells().stream()).toList();
    }

    @Test
    void cells_are_named_after_their_subject_or_what_they_drain() {
        Stream.of("drain", "enqueue", "latency", "blocking", "pinned", "start", "scheduled", "nodes", "loom")
                .forEach(subject -> cells(subject, "--peers")
                        .forEach(cell -> assertTrue(cell.workload().startsWith(subject), cell::workload)));
    }
}
