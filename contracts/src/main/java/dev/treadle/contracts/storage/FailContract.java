package dev.treadle.contracts.storage;

import static dev.treadle.job.HistoryEntry.Event.THREW;
import static dev.treadle.job.StateName.FAILED;
import static dev.treadle.job.StateName.PROCESSING;
import static dev.treadle.job.StateName.SCHEDULED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.HistoryEntry;
import dev.treadle.job.JobId;
import dev.treadle.job.JobState;
import dev.treadle.lifecycle.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every storage must do when attempts end otherwise than well. Extend it, hand over an empty storage, and it runs. */
public abstract class FailContract extends StorageContract {
    private static final Duration SOON = Duration.ofMillis(100);

    /** For subclasses. */
    protected FailContract() {}

    @Test
    final void a_job_to_be_tried_again_is_scheduled_after_the_delay_and_one_row_tells_why() {
        Lease lease = claimed();
        JobId id = lease.job().id();

        assertWritten(Endings.threw(lease, HOUR));

        HistoryEntry row = Stories.of(storage, id).history().get(0);
        Instant claimedAt = lease.job().state().since();
        assertEquals(
                new HistoryEntry(THREW, SCHEDULED, 1, NODE, null, claimedAt, row.at(), Endings.RAN, Endings.BOOM), row);
        Duration wait =
                Duration.between(row.at(), stateOf(id, JobState.Scheduled.class).dueAt());
        assertTrue(wait.minus(HOUR).abs().toSeconds() < 1, () -> "due after " + wait + ", not " + HOUR);
        assertStates(id, SCHEDULED);
        assertEquals(0, storage.promote(FULL).moved());
        assertEquals(List.of(), storage.claim(NODE, FULL));
    }

    @Test
    final void each_retry_counts_an_attempt_until_the_job_fails_for_good() {
        Lease lease = claimed();
        JobId id = lease.job().id();
        assertWritten(Endings.threw(lease, SOON));
        lease = claim(OTHER, id);
        assertEquals(2, lease.job().attempt());
        assertWritten(Endings.rescued(lease, Duration.ZERO));
        lease = claim(NODE, id);
        assertEquals(3, lease.job().attempt());
        assertStates(id, SCHEDULED, SCHEDULED, PROCESSING);

        assertWritten(Endings.failed(lease));

        List<HistoryEntry> history = Stories.of(storage, id).history();
        assertEquals(
                List.of(1, 2, 3), history.stream().map(HistoryEntry::attempt).toList());
        assertEquals(
                List.of(NODE, OTHER, NODE),
                history.stream().map(HistoryEntry::node).toList());
        assertNull(history.get(1).ranFor());
        assertEquals(Endings.SILENT, history.get(1).why());
        assertStates(id, SCHEDULED, SCHEDULED, FAILED);
        assertEquals(3, Stories.of(storage, id).job().attempt());
    }

    @Test
    final void a_failed_job_tells_why_and_is_left_alone() {
        Lease lease = claimed();
        JobId id = lease.job().id();

        assertWritten(Endings.failed(lease));
        assertWritten(Endings.failed(lease));

        assertEquals(Endings.BOOM, stateOf(id, JobState.Failed.class).failure());
        Stories.assertEvents(storage, id, THREW);
        assertEquals(0, storage.promote(FULL).moved());
        assertEquals(List.of(), storage.claim(NODE, FULL));
        assertEquals(List.of(), storage.leasesOf(NODE));
    }

    @Test
    final void a_retry_written_twice_is_one_retry() {
        Lease lease = claimed();
        JobId id = lease.job().id();

        assertWritten(Endings.threw(lease, Duration.ZERO));
        assertWritten(Endings.threw(lease, Duration.ZERO));
        assertStates(id, SCHEDULED);
        claim(NODE, id);
        assertWritten(Endings.threw(lease, Duration.ZERO));

        assertStates(id, SCHEDULED, PROCESSING);
        storage.promote(FULL);
        assertEquals(List.of(), storage.claim(OTHER, FULL));
    }
}
