package dev.treadle.contracts.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.treadle.job.OperatorNote;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.StopRequest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every storage must do about runs that lost their lease. Extend it, hand over an empty storage, and it runs. */
public abstract class StopContract extends StorageContract {
    private static final OperatorNote ANNA = new OperatorNote("anna", null);

    /** For subclasses. */
    protected StopContract() {}

    @Test
    final void the_node_of_a_cancelled_run_is_asked_to_end_it_until_it_says_that_it_has_ended() {
        beat(NODE);
        Lease lease = claimed();
        storage.cancel(lease.job().id(), ANNA);

        List<StopRequest> asked = storage.runs().stopRequests(NODE);
        assertEquals(
                List.of(RunId.of(lease)), asked.stream().map(StopRequest::run).toList());
        assertEquals(NODE, asked.get(0).node());
        assertFalse(asked.get(0).since().isNegative());
        assertEquals(List.of(), storage.runs().stopRequests(OTHER));
        assertEquals(asked.get(0).run(), storage.runs().stillRunning().get(0).run());

        storage.runs().ended(List.of(RunId.of(lease)));
        storage.runs().ended(List.of(RunId.of(lease), new RunId(jobs.nextId(), 1)));
        assertEquals(List.of(), storage.runs().stopRequests(NODE));
        assertEquals(List.of(), storage.runs().stillRunning());
    }

    @Test
    final void no_stop_is_requested_for_a_job_that_does_not_run() {
        beat(NODE);
        for (StateName state : StateName.values()) {
            if (state != StateName.PROCESSING) {
                storage.cancel(aJobThatIs(state), ANNA);
            }
        }
        assertWritten(Endings.completed(claimed()));

        assertEquals(List.of(), storage.runs().stillRunning());
        assertEquals(List.of(), storage.runs().stopRequests(NODE));
    }

    @Test
    final void a_run_that_was_cancelled_is_told_from_the_next_one_of_its_job() {
        Lease first = claimed();
        storage.cancel(first.job().id(), ANNA);
        storage.runAgain(first.job().id(), ANNA);
        Lease second = claim(NODE, first.job().id());

        assertEquals(
                List.of(RunId.of(first)),
                storage.runs().stopRequests(NODE).stream().map(StopRequest::run).toList());
        assertStale(Endings.completed(first));
        assertWritten(Endings.completed(second));
    }

    @Test
    final void the_node_that_lost_a_job_to_a_rescuer_is_asked_to_end_it() {
        List<Lease> leases = claimed(3);
        storage.record(List.of(
                Endings.rescued(leases.get(0), Jobs.LONG),
                Endings.completed(leases.get(1)),
                Endings.rescued(leases.get(2), Duration.ZERO)));

        assertEquals(
                List.of(RunId.of(leases.get(0)), RunId.of(leases.get(2))),
                storage.runs().stopRequests(NODE).stream()
                        .map(StopRequest::run)
                        .sorted(java.util.Comparator.comparing(RunId::job))
                        .toList());
    }

    @Test
    final void a_rescuer_that_came_too_late_requests_no_stop() {
        Lease lease = claimed();
        assertWritten(Endings.completed(lease));

        assertStale(Endings.rescued(lease, Duration.ZERO));

        assertEquals(List.of(), storage.runs().stopRequests(NODE));
    }

    @Test
    final void what_ran_on_a_node_that_is_gone_runs_no_more() {
        beat(NODE);
        beat(OTHER);
        Lease lease = claimed();
        Lease others = claim(OTHER, enqueued());
        storage.cancel(lease.job().id(), ANNA);
        storage.cancel(others.job().id(), ANNA);
        storage.leave(NODE);

        assertEquals(
                List.of(RunId.of(others)),
                storage.runs().stillRunning().stream().map(StopRequest::run).toList());
        storage.forgetUnneeded("");
        assertEquals(List.of(), storage.runs().stopRequests(NODE));
        assertEquals(1, storage.runs().stopRequests(OTHER).size());
    }

    @Test
    final void two_who_cancel_a_running_job_at_once_ask_once() {
        for (int round = 0; round < 10; round++) {
            Lease lease = claimed();
            var answers = Together.two(
                    () -> storage.cancel(lease.job().id(), ANNA),
                    () -> storage.cancel(lease.job().id(), ANNA));
            assertEquals(true, answers.exactlyOneIs(WriteResult.WRITTEN));
            assertEquals(1, storage.runs().stopRequests(NODE).size());
            storage.runs().ended(List.of(RunId.of(lease)));
        }
    }
}
