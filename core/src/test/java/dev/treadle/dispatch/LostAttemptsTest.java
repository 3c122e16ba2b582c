package dev.treadle.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.admission.Resources;
import dev.treadle.dispatch.AttemptTask.Stage;
import dev.treadle.invoke.StopActions;
import dev.treadle.job.RetryPolicy;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Transition;
import dev.treadle.lifecycle.Trigger;
import dev.treadle.outcome.NextState;
import dev.treadle.outcome.OutcomeRecorder;
import dev.treadle.outcome.Recording;
import dev.treadle.storage.Leases;
import dev.treadle.storage.ScriptedStorage;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import dev.treadle.watch.FailureLog;
import dev.treadle.watch.JobEvents;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** Attempts that are in flight although no thread works on them. */
@SuppressWarnings("NullAway") // no user code runs here
class LostAttemptsTest {
    private static final int WORKERS = 2;

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    /** What the executor was given. */
    private final List<Runnable> given = new ArrayList<>();

    private Executor executor = given::add;
    private double random;
    private boolean randomFails;
    private boolean forgetsWhatIsWritten;
    private final List<Transition> written = new ArrayList<>();

    private final WorkerPool pool = new WorkerPool(task -> executor.execute(task), WORKERS);
    private final LocalQueues queues = new LocalQueues(pool, List.of(), () -> now);
    private final LocalQueue queue = queues.of("default");
    private final InFlight inFlight = new InFlight(new Deadlines(() -> now, new StopActions(Runnable::run), () -> {}));
    private final Recording recording = new Recording(storage(), new Written(), () -> {}, () -> {});
    private final LocalState here = new LocalState(queues, inFlight, new ResourceGate(Resources.none(), () -> {}));
    private final Execution execution = new Execution(
            null,
            new NextState(RetryPolicy.DEFAULT),
            recording,
            this::random,
            JobEvents.ofThisJvm(),
            new FailureLog(Clock.systemUTC()));
    private final AttemptRunner runner = new AttemptRunner(here, execution, this::start, () -> {});
    private final LostAttempts lost = new LostAttempts(here, execution, runner, this::start, Duration.ofSeconds(6));

    @Test
    void one_that_the_executor_has_lost_runs_when_it_is_handed_over_again_and_once_at_most() {
        AttemptTask task = started();
        Runnable first = given.remove(0);

        looks(3);
        assertEquals(0, given.size(), "it may come yet");
        look();
        run(given.remove(0));

        assertEquals(Stage.ENDED, task.stage());
        run(first);
        record();
        assertEquals(1, written.size());
        assertNothingIsHeld();
    }

    @Test
    void one_that_waits_in_an_executor_for_long_is_handed_over_more_and_more_rarely() {
        started();

        looks(100);

        assertEquals(1 + 5, given.size(), "at the looks 4, 8, 16, 32 and 64");
    }

    @Test
    void one_that_the_executor_then_refuses_goes_back() {
        AttemptTask task = started();
        executor = refused -> {
            throw new RejectedExecutionException("stopped");
        };

        looks(4);

        assertEquals(Stage.ENDED, task.stage());
        run(given.remove(0));
        record();
        assertEquals(List.of(Trigger.GIVE_BACK), triggersWritten());
        assertNothingIsHeld();
    }

    @Test
    void one_whose_thread_went_away_before_its_ending_was_handed_in_is_brought_to_its_end() {
        AttemptTask task = started();
        randomFails = true;
        assertThrows(InternalError.class, given.remove(0)::run);
        assertEquals(Stage.ABANDONED, task.stage());

        assertThrows(InternalError.class, this::look);
        assertEquals(Stage.ABANDONED, task.stage(), "and again, until it can be");
        randomFails = false;
        look();

        record();
        assertEquals(List.of(Trigger.RETRY), triggersWritten());
        assertNothingIsHeld();
    }

    @Test
    void one_whose_thread_went_away_is_brought_to_its_end_when_its_node_stops() {
        started();
        randomFails = true;
        assertThrows(InternalError.class, given.remove(0)::run);
        randomFails = false;

        lost.finishAbandoned();

        record();
        assertEquals(1, written.size());
        assertNothingIsHeld();
    }

    @Test
    void one_that_is_to_wait_for_a_permit_and_does_not_goes_back() {
        AttemptTask waits = arrived(1);
        queue.waiting().add(waits);
        AttemptTask lostOne = arrived(2);

        looks(4);

        assertEquals(Stage.ENDED, lostOne.stage());
        record();
        assertEquals(List.of(Trigger.GIVE_BACK), triggersWritten());
        assertEquals(1, inFlight.size());
        assertEquals(1, given.size(), "the one that waited has begun");
        assertEquals(Stage.HANDED_OVER, waits.stage());
    }

    @Test
    void one_that_was_given_back_while_it_got_a_permit_does_not_start_and_gives_the_permit_back() {
        AttemptTask task = arrived(1);
        queue.waiting().add(task);
        runner.giveBackWaiting(task);

        queues.handOver(queue, this::start);

        assertEquals(0, given.size());
        assertEquals(0, pool.running());
    }

    @Test
    void an_ending_that_was_handed_in_and_got_lost_is_handed_in_again() {
        AttemptTask task = started();
        forgetsWhatIsWritten = true;
        run(given.remove(0));
        record();
        forgetsWhatIsWritten = false;
        assertEquals(1, inFlight.size());

        looks(4);
        record();

        assertTrue(task.isRecorded());
        assertNothingIsHeld();
    }

    @Test
    void an_ending_that_waits_to_be_written_is_left_alone() {
        started();
        run(given.remove(0));

        looks(4);

        assertEquals(1, recording.waiting());
    }

    @Test
    void one_that_runs_is_left_alone_however_long_it_takes() {
        AttemptTask task = arrived(1);
        assertTrue(task.takePermits());
        assertTrue(task.advance(Stage.STARTING, Stage.HANDED_OVER));
        assertTrue(task.advance(Stage.HANDED_OVER, Stage.RUNNING));

        looks(20);

        assertEquals(Stage.RUNNING, task.stage());
        assertEquals(0, recording.waiting());
    }

    private AttemptTask arrived(int number) {
        AttemptTask task = runner.task(queue, Leases.number(number));
        assertTrue(inFlight.arrived(task));
        queue.arrived();
        return task;
    }

    /** One that the executor has. */
    private AttemptTask started() {
        AttemptTask task = arrived(1);
        queue.waiting().add(task);
        queues.handOver(queue, this::start);
        assertEquals(Stage.HANDED_OVER, task.stage());
        return task;
    }

    private void start(AttemptTask task) {
        assertTrue(runner.handOver(task));
    }

    /** As a thread of an executor does. There is no user code, so the border to it is a failure of its own. */
    private static void run(Runnable task) {
        try {
            task.run();
        } catch (NullPointerException e) {
            // the attempt has an ending all the same
        }
    }

    private void looks(int times) {
        for (int i = 0; i < times; i++) {
            look();
        }
    }

    private void look() {
        now = now.plusSeconds(1);
        lost.turn();
    }

    private void record() {
        recording.plain().turn();
    }

    private void assertNothingIsHeld() {
        assertEquals(0, inFlight.size());
        assertEquals(List.of(), inFlight.all());
        assertEquals(0, pool.running());
        assertEquals(0, queue.held());
        assertEquals(0, recording.waiting());
    }

    private List<Trigger> triggersWritten() {
        return written.stream().map(Transition::trigger).toList();
    }

    private double random() {
        if (randomFails) {
            throw new InternalError("nobody expects this one");
        }
        return random;
    }

    /** Takes every ending for good. */
    private StorageProvider storage() {
        return ScriptedStorage.over(new InMemoryStorageProvider(), (call, arguments, real) -> {
            if (!call.equals("record")) {
                return real.make();
            }
            List<WriteResult> results = new ArrayList<>();
            for (Object ending : (List<?>) arguments[0]) {
                written.add((Transition) ending);
                results.add(WriteResult.WRITTEN);
            }
            return results;
        });
    }

    private final class Written implements OutcomeRecorder.Listener {
        @Override
        public void release(Transition ending) {
            if (!forgetsWhatIsWritten) {
                inFlight.recorded(ending.lease());
            }
        }

        @Override
        public void settled(Transition ending, WriteResult result) {}
    }
}
