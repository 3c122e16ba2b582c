package dev.treadle.contracts.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.treadle.job.HistoryEntry;
import dev.treadle.job.HistoryEntry.Event;
import dev.treadle.job.JobId;
import dev.treadle.job.JobStory;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.Lease;
import dev.treadle.storage.JobQueries;
import dev.treadle.storage.NewJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What every storage must answer to people. Extend it, hand over an empty storage, and it runs. */
public abstract class QueryContract extends StorageContract {
    /** For subclasses. */
    protected QueryContract() {}

    @Test
    final void a_job_that_is_not_there_has_no_story_and_no_state() {
        enqueued();

        assertEquals(Optional.empty(), storage.queries().find(jobs.nextId()));
        assertEquals(Map.of(), storage.queries().states(List.of(jobs.nextId())));
        assertEquals(Map.of(), storage.queries().states(List.of()));
    }

    @Test
    final void a_long_story_is_told_oldest_first() {
        JobId id = enqueued();
        List<Event> told = new ArrayList<>();
        for (int round = 1; round <= 3; round++) {
            for (int attempt = 1; attempt <= 4; attempt++) {
                Lease lease = claim(attempt % 2 == 0 ? NODE : OTHER, id);
                assertEquals(attempt, lease.job().attempt());
                assertWritten(Endings.threw(lease, Duration.ZERO));
                told.add(Event.THREW);
            }
            assertWritten(Endings.failed(claim(NODE, id)));
            storage.runAgain(id, new OperatorNote("round " + round, "reason " + round));
            storage.cancel(id, new OperatorNote("stop " + round, null));
            storage.runAgain(id, new OperatorNote("go on " + round, null));
            told.addAll(List.of(Event.THREW, Event.RUN_AGAIN, Event.CANCELLED, Event.RUN_AGAIN));
        }
        assertWritten(Endings.completed(claim(NODE, id)));
        told.add(Event.COMPLETED);

        List<HistoryEntry> history = Stories.of(storage, id).history();
        assertEquals(told, history.stream().map(HistoryEntry::event).toList());
        HistoryEntry move = history.get(5);
        assertEquals("round 1", move.by());
        assertEquals("reason 1", move.why() == null ? null : move.why().message());
        assertEquals(
                List.of("round 1", "stop 1", "go on 1", "round 2", "stop 2", "go on 2", "round 3", "stop 3", "go on 3"),
                history.stream().map(HistoryEntry::by).filter(by -> by != null).toList());
        List<Instant> times = history.stream().map(HistoryEntry::at).toList();
        assertEquals(times.stream().sorted().toList(), times);
    }

    @Test
    final void stories_do_not_mix() {
        List<Lease> leases = claimed(3);
        assertWritten(Endings.completed(leases.get(0)));
        assertWritten(Endings.failed(leases.get(2)));

        assertEquals(
                List.of(1, 0, 1),
                idsOf(leases).stream()
                        .map(id -> Stories.of(storage, id).history().size())
                        .toList());
    }

    @Test
    final void a_story_and_the_list_of_states_agree_on_every_state() {
        Map<JobId, StateName> expected = new HashMap<>();
        // the job that is Enqueued comes last, so that no other claim of this test takes it
        for (StateName state : List.of(
                StateName.SCHEDULED,
                StateName.PROCESSING,
                StateName.SUCCEEDED,
                StateName.FAILED,
                StateName.CANCELLED,
                StateName.PARKED,
                StateName.WAITING,
                StateName.ENQUEUED)) {
            expected.put(aJobThatIs(state), state);
        }
        assertEquals(StateName.values().length, expected.size());

        assertEquals(expected, storage.queries().states(expected.keySet()));
        expected.forEach((id, state) -> assertEquals(state, stateOf(id)));
    }

    @Test
    final void the_states_of_ten_thousand_jobs_are_told_in_one_answer() {
        List<NewJob> there = jobs.enqueuedJobs(FULL);
        storage.insert(there);
        List<JobId> running = idsOf(storage.claim(NODE, 10));
        List<JobId> asked = new ArrayList<>(there.stream().map(NewJob::id).toList());
        while (asked.size() < JobQueries.STATES_MAX) {
            asked.add(jobs.nextId());
        }
        Collections.reverse(asked);

        Map<JobId, StateName> states = storage.queries().states(asked);

        assertEquals(FULL, states.size());
        assertEquals(10, Collections.frequency(states.values(), StateName.PROCESSING));
        running.forEach(id -> assertEquals(StateName.PROCESSING, states.get(id)));
        assertEquals(FULL - 10, Collections.frequency(states.values(), StateName.ENQUEUED));
    }

    @Test
    final void what_was_read_does_not_change_afterwards() {
        JobId id = enqueued();
        JobStory before = Stories.of(storage, id);

        assertWritten(Endings.completed(claim(NODE, id)));

        assertEquals(StateName.ENQUEUED, before.job().state().name());
        assertEquals(List.of(), before.history());
    }

    @Test
    final void a_storage_says_what_it_is() {
        assertFalse(storage.description().isBlank());
    }
}
