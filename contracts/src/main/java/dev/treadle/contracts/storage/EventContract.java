package dev.treadle.contracts.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.JobId;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.JobAction;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RunId;
import dev.treadle.storage.GateStorage.EventAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What every storage must do with events that jobs wait for. Extend it, hand over an empty storage, and it runs. */
public abstract class EventContract extends GateWords {
    private static final int RACES = 20;

    /** For subclasses. */
    protected EventContract() {}

    @Test
    final void a_suspended_job_goes_on_when_its_event_comes() {
        Lease waiter = suspended(HOUR);
        assertEquals(0, open());

        assertEquals(WriteResult.WRITTEN, signal(waiter, "1"));

        assertTrue(storage.outlook(NODE).gates(), "somebody has to look");
        assertEquals(1, open());
        Lease again = claim(NODE, waiter.job().id());
        assertEquals(new EventAnswer.Here("1"), await(again, HOUR));
        assertEquals(1, again.job().attempt(), "the wait was no attempt");
    }

    @Test
    final void an_event_that_came_before_is_there_and_the_first_counts() {
        Lease waiter = claimed();
        assertEquals(WriteResult.WRITTEN, signal(waiter, "1"));
        assertEquals(new WriteResult.Stale(StateName.PROCESSING), signal(waiter, "2"));
        open();

        assertEquals(new EventAnswer.Here("1"), await(waiter, HOUR));
        assertEquals(new EventAnswer.Here("1"), await(waiter, Duration.ZERO), "also when the time is over");
    }

    @Test
    final void an_event_that_came_between_the_question_and_the_suspension_is_not_missed() {
        Lease waiter = claimed();
        assertEquals(new EventAnswer.NotYet(), await(waiter, HOUR));
        assertEquals(WriteResult.WRITTEN, signal(waiter, "1"));
        open();
        assertWritten(Endings.suspended(waiter));

        assertEquals(1, open());
    }

    @Test
    final void a_job_goes_on_when_the_time_of_its_event_is_over_and_that_stays_so() {
        Lease waiter = suspended(Duration.ofMillis(1));

        // the suspension itself asks for a look, and the time may not be over by then
        int resumed = open();
        if (resumed == 0) {
            Patience.until(
                    "its time is over", () -> storage.outlook(NODE).gates() ? Optional.of(true) : Optional.empty());
            resumed = open();
        }
        assertEquals(1, resumed);
        Lease again = claim(NODE, waiter.job().id());
        assertEquals(new EventAnswer.Over(), await(again, HOUR), "the first call said how long");
        assertEquals(new WriteResult.Stale(StateName.PROCESSING), signal(waiter, "1"));
        assertEquals(new EventAnswer.Over(), await(again, HOUR));
    }

    @Test
    final void a_run_that_lost_its_lease_waits_for_nothing() {
        Lease waiter = claimed();
        storage.cancel(waiter.job().id(), ANNA);

        assertInstanceOf(EventAnswer.LeaseLost.class, await(waiter, HOUR));
        assertEquals(new WriteResult.Stale(StateName.CANCELLED), signal(waiter, "1"));
        assertEquals(WriteResult.MISSING, storage.runs().gates().signal(jobs.nextId(), "event", "1", null));
    }

    @Test
    final void run_from_the_start_forgets_what_came() {
        Lease waiter = claimed();
        signal(waiter, "1");
        await(waiter, HOUR);
        assertWritten(Endings.completed(waiter));
        JobId id = waiter.job().id();
        assertEquals(List.of(WriteResult.WRITTEN), storage.act(JobAction.RUN_FROM_START, ANNA, List.of(id), null));

        assertEquals(new EventAnswer.NotYet(), await(claim(NODE, id), HOUR));
    }

    @Test
    final void a_signal_and_a_suspension_never_miss_each_other() {
        for (int race = 0; race < RACES; race++) {
            Lease waiter = claimed();
            await(waiter, HOUR);

            Together.all(List.of(
                    () -> storage.record(List.of(Endings.suspended(waiter))).size(),
                    () -> signal(waiter, "1").equals(WriteResult.WRITTEN) ? 1 : 0,
                    () -> storage.runs().gates().open(FULL).resumed()));

            open();
            assertEquals(StateName.ENQUEUED, state(waiter), "race " + race);
            assertWritten(Endings.completed(claim(NODE, waiter.job().id())));
        }
    }

    private Lease suspended(Duration patience) {
        Lease waiter = claimed();
        assertEquals(new EventAnswer.NotYet(), await(waiter, patience));
        assertWritten(Endings.suspended(waiter));
        return waiter;
    }

    private EventAnswer await(Lease waiter, Duration patience) {
        return storage.runs().gates().awaitEvent(RunId.of(waiter), "event", "com.acme.Decision", patience);
    }

    private WriteResult signal(Lease waiter, String value) {
        return storage.runs().gates().signal(waiter.job().id(), "event", value, null);
    }
}
