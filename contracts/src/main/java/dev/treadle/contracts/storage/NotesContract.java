package dev.treadle.contracts.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.JobId;
import dev.treadle.job.RunNotes;
import dev.treadle.job.RunNotes.LogLine;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RunId;
import dev.treadle.storage.NotesPage;
import dev.treadle.storage.NotesUpdate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What every storage must do with what jobs tell. Extend it, hand over an empty storage, and it runs. */
public abstract class NotesContract extends StorageContract {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    /** For subclasses. */
    protected NotesContract() {}

    @Test
    final void what_a_run_tells_is_kept_with_its_job() {
        Lease lease = claimed();
        LogLine line = new LogLine(0, NOW, Texts.AWKWARD);
        RunNotes notes = new RunNotes(NOW, 3L, 10L, Map.of("file", Texts.AWKWARD, "b", ""), List.of(line));

        tell(lease, notes);
        tell(lease, notes);

        assertEquals(Optional.of(notes), notes(lease));
        assertEquals(Optional.empty(), storage.runs().notes(enqueued()));
    }

    @Test
    final void the_last_progress_counts_and_all_lines_are_kept_in_their_order() {
        Lease lease = claimed();
        tell(lease, at(0, 1L, line(0), line(1)));
        tell(lease, at(1, null, line(2)));
        tell(lease, at(2, 3L));

        assertEquals(Optional.of(at(2, 3L, line(0), line(1), line(2))), notes(lease));
    }

    @Test
    final void a_run_that_lost_its_lease_does_not_hide_what_the_next_one_tells() {
        Lease first = claimed();
        assertWritten(Endings.rescued(first, Duration.ZERO));
        Lease second = claim(OTHER, first.job().id());

        tell(second, at(0, 7L, line(0)));
        tell(first, at(5, 3L, line(0)));
        storage.runs().tell(List.of(told(first, at(6, 4L)), told(second, at(6, 8L, line(1)))));

        assertEquals(Optional.of(at(6, 8L, line(0), line(0), line(1))), notes(first));
    }

    @Test
    final void lines_are_read_page_by_page_over_all_runs_and_the_last_ones_first() {
        Lease first = claimed();
        tell(first, at(1, 1L, line(0), line(1), line(2)));
        assertWritten(Endings.threw(first, Duration.ZERO));
        Lease second = claim(OTHER, first.job().id());
        tell(second, at(2, 5L, line(0), line(1)));
        JobId id = first.job().id();

        NotesPage last = storage.runs().notes(id, null, 2).orElseThrow();
        assertEquals(5L, last.last().done());
        assertEquals(List.of(), last.last().log());
        assertEquals(
                List.of(0, 1),
                last.lines().stream().map(said -> said.line().number()).toList());
        assertTrue(last.more());
        List<NotesPage.Said> all =
                storage.runs().notes(id, null, 10).orElseThrow().lines();
        assertEquals(5, all.size());
        List<NotesPage.Said> paged = new ArrayList<>();
        NotesPage page;
        do {
            NotesPage.Place after = paged.isEmpty()
                    ? new NotesPage.Place(0, 0)
                    : paged.get(paged.size() - 1).place();
            page = storage.runs().notes(id, after, 2).orElseThrow();
            paged.addAll(page.lines());
        } while (page.more());
        assertEquals(all, paged);
        assertEquals(
                List.of(),
                storage.runs().notes(id, all.get(4).place(), 2).orElseThrow().lines());
        assertEquals(Optional.empty(), storage.runs().notes(enqueued(), null, 2));
    }

    @Test
    final void what_is_told_of_a_job_that_is_not_there_is_passed_over() {
        JobId gone = jobs.nextId();
        Lease here = claimed();

        storage.runs()
                .tell(List.of(new NotesUpdate(new RunId(gone, 1), at(0, 1L, line(0))), told(here, at(0, 2L, line(0)))));

        assertEquals(Optional.empty(), storage.runs().notes(gone));
        assertEquals(Optional.of(at(0, 2L, line(0))), notes(here));
    }

    @Test
    final void many_runs_tell_much_in_one_call() {
        List<Lease> leases = claimed(FULL);
        storage.runs()
                .tell(leases.stream()
                        .map(lease -> told(lease, at(0, 1L, line(0), line(1))))
                        .toList());

        assertEquals(2, notes(leases.get(FULL - 1)).orElseThrow().log().size());
    }

    private Optional<RunNotes> notes(Lease lease) {
        return storage.runs().notes(lease.job().id());
    }

    private void tell(Lease lease, RunNotes notes) {
        storage.runs().tell(List.of(told(lease, notes)));
    }

    private static NotesUpdate told(Lease lease, RunNotes notes) {
        return new NotesUpdate(RunId.of(lease), notes);
    }

    private static RunNotes at(int seconds, @Nullable Long done, LogLine... lines) {
        return new RunNotes(NOW.plusSeconds(seconds), done, done == null ? null : 10L, Map.of(), List.of(lines));
    }

    private static LogLine line(int number) {
        return new LogLine(number, NOW, "line " + number);
    }
}
