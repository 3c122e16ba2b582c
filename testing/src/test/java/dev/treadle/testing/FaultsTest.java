package dev.treadle.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Treadle;
import dev.treadle.job.HistoryEntry;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.LeaseLostException;
import dev.treadle.job.RetryPolicy;
import dev.treadle.job.StateName;
import dev.treadle.server.JobServerSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What goes wrong when a test says so, and that handlers which cannot bear it are found. */
@ParameterizedClass
@EnumSource(TestStorage.class)
class FaultsTest {
    private static final Duration LONG = Duration.ofHours(1);

    private final List<String> done = new ArrayList<>();
    private final List<Throwable> thrown = new ArrayList<>();
    private final AtomicReference<TreadleTest> self = new AtomicReference<>();
    private final TreadleTest test;

    record Order(int id) implements JobRequest<Void> {}

    record Plain(String word) implements JobRequest<Void> {}

    record Once(String word) implements JobRequest<Void> {}

    record Stubborn() implements JobRequest<Void> {}

    FaultsTest(TestStorage storage) {
        test = storage.test(this::configure);
        self.set(test);
    }

    private void configure(Treadle.Builder treadle) {
        treadle.settings(JobServerSettings.DEFAULT.withRetries(RetryPolicy.DEFAULT.withAttempts(3)))
                .handler(Order.class, (order, job) -> {
                    job.step("pay", () -> done.add("pay " + order.id()));
                    job.step("mail", () -> done.add("mail " + order.id()));
                })
                .handler(Plain.class, (plain, job) -> {
                    done.add(plain.word());
                })
                .handler(Once.class, (once, job) -> {
                    if (done.contains(once.word())) {
                        throw new IllegalStateException(once.word() + " is there already");
                    }
                    done.add(once.word());
                })
                .handler(Stubborn.class, (stubborn, job) -> goesOn(job));
    }

    /** Catches what no job should catch. */
    private void goesOn(JobContext job) throws Exception {
        try {
            job.step("first", () -> done.add("first"));
        } catch (SimulatedCrash | RuntimeException e) {
            thrown.add(e);
            // noted here and asserted in the test: what a crashed run throws reaches no caller
            tries(() -> job.step("second", () -> done.add("second")));
            tries(() -> self.get().jobs().enqueue(new Plain("after the crash")));
            tries(() -> self.get().jobs().labelled("any"));
        }
    }

    private void tries(Executable call) {
        try {
            call.execute();
            done.add("it worked");
        } catch (Throwable e) {
            thrown.add(e);
        }
    }

    @AfterEach
    void close() {
        test.close();
    }

    @Test
    void after_a_crash_between_two_steps_only_the_second_is_done_again() {
        test.inject(Fault.crashAfterStep("pay"));
        JobId id = test.jobs().enqueue(new Order(7));

        assertEquals(1, test.drain());
        test.assertState(StateName.PROCESSING, id);
        assertEquals(List.of("pay 7"), done);

        test.advance(LONG);
        test.assertState(StateName.SUCCEEDED, id);
        assertEquals(List.of("pay 7", "mail 7"), done);
        assertEquals(List.of(HistoryEntry.Event.NODE_LOST, HistoryEntry.Event.COMPLETED), events(id));
        test.assertNoFailures();
    }

    @Test
    void a_crash_is_noticed_when_the_node_has_been_silent_for_long_enough_and_not_before() {
        test.inject(Fault.crashBeforeRun());
        JobId id = test.jobs().enqueue(new Order(7));

        test.drain();
        test.advance(Duration.ofSeconds(14));
        test.assertState(StateName.PROCESSING, id);
        test.advance(Duration.ofSeconds(6));
        test.assertState(StateName.SCHEDULED, id);
        assertEquals(List.of(), done);
        test.advance(LONG);
        test.assertState(StateName.SUCCEEDED, id);
    }

    @Test
    void a_crash_within_a_step_does_its_work_twice() {
        test.inject(Fault.crashInStep("pay"));
        JobId id = test.jobs().enqueue(new Order(7));

        test.drain();
        assertEquals(List.of(), test.jobs().steps(id));
        test.advance(LONG);

        test.assertState(StateName.SUCCEEDED, id);
        assertEquals(List.of("pay 7", "pay 7", "mail 7"), done);
    }

    @Test
    void a_crash_after_the_run_does_all_of_it_twice_but_recorded_steps() {
        test.inject(Fault.crashAfterRun().of(Plain.class));
        test.inject(Fault.crashAfterRun().of(Order.class));
        test.jobs().enqueue(new Plain("hello"));
        test.jobs().enqueue(new Order(7));

        assertEquals(2, test.drain());
        assertEquals(2, test.advance(LONG));

        assertEquals(List.of("hello", "pay 7", "mail 7", "hello"), done);
        test.assertNoFailures();
    }

    @Test
    void each_attempt_may_crash_until_none_is_left() {
        for (int attempt = 1; attempt <= 3; attempt++) {
            test.inject(Fault.crashAfterStep("pay").inAttempt(attempt).of(Order.class));
        }
        JobId id = test.jobs().enqueue(new Order(7));
        test.inject(Fault.crashBeforeRun().inAttempt(2).of(id));
        test.inject(Fault.crashBeforeRun().inAttempt(3).of(id));

        test.advance(LONG);

        test.assertState(StateName.FAILED, id);
        AssertionError failed = assertThrows(AssertionError.class, test::assertNoFailures);
        assertTrue(failed.getMessage().contains("died or left while it held the lease"), failed.getMessage());
        // the two that did not happen, because the runs were over before
        AssertionError missed = assertThrows(AssertionError.class, test::close);
        assertTrue(missed.getMessage().contains("Fault.crashAfterStep(\"pay\").of(Order.class).inAttempt(2)"));
        assertTrue(missed.getMessage().contains("Steps that were done: pay."), missed.getMessage());
    }

    @Test
    void nothing_of_a_crashed_process_reaches_the_storage_even_if_its_code_goes_on() {
        test.inject(Fault.crashInStep("first"));
        JobId id = test.jobs().enqueue(new Stubborn());

        test.drain();
        assertEquals(List.of("first", "second"), done);
        test.assertState(StateName.PROCESSING, id);
        test.assertEnqueued(0, Plain.class);
        assertEquals(List.of(), test.jobs().steps(id));
        assertEquals(4, thrown.size());
        assertEquals(SimulatedCrash.class, thrown.get(1).getClass());

        test.advance(LONG);
        test.assertState(StateName.SUCCEEDED, id);
        assertEquals(4, thrown.size());
    }

    @Test
    void other_jobs_run_on_the_next_node_at_once() {
        test.inject(Fault.crashBeforeRun().of(Order.class));
        test.jobs().enqueue(new Order(7));
        test.jobs().enqueue(new Plain("hello"));

        assertEquals(2, test.drain());
        assertEquals(List.of("hello"), done);
        test.advance(LONG);
        assertEquals(List.of("hello", "pay 7", "mail 7"), done);
    }

    @Test
    void a_handler_that_may_run_twice_does() {
        JobId id = test.jobs().enqueue(new Order(7));

        test.runTwice(id);

        test.assertState(StateName.SUCCEEDED, id);
        assertEquals(List.of("pay 7", "mail 7"), done);
    }

    @Test
    void a_handler_that_must_not_run_twice_is_found_by_what_it_did() {
        JobId id = test.jobs().enqueue(new Plain("hello"));

        test.runTwice(id);

        assertEquals(List.of("hello", "hello"), done);
    }

    @Test
    void a_handler_that_cannot_run_twice_is_found() {
        JobId id = test.jobs().enqueue(new Once("hello"));

        AssertionError found = assertThrows(AssertionError.class, () -> test.runTwice(id));

        assertTrue(found.getMessage().contains("did not succeed when it was run again"), found.getMessage());
        assertTrue(found.getMessage().contains("hello is there already"), found.getMessage());
    }

    @Test
    void what_does_not_run_once_cannot_run_twice() {
        done.add("hello");
        JobId fails = test.jobs().enqueue(new Once("hello"));
        AssertionError failed = assertThrows(AssertionError.class, () -> test.runTwice(fails));
        assertTrue(failed.getMessage().contains("did not run to its end once"), failed.getMessage());
        assertTrue(failed.getMessage().contains("hello is there already"), failed.getMessage());

        JobId later = test.jobs().schedule(LONG, new Plain("later"));
        AssertionError waits = assertThrows(AssertionError.class, () -> test.runTwice(later));
        assertTrue(waits.getMessage().contains("It is SCHEDULED."), waits.getMessage());
    }

    @Test
    void a_run_that_has_lost_its_lease_records_nothing_more() {
        test.inject(Fault.leaseLostAfterStep("pay"));
        JobId id = test.jobs().enqueue(new Order(7));

        test.drain();
        assertEquals(List.of("pay 7", "mail 7"), done);
        assertEquals(1, test.jobs().steps(id).size());
        test.assertState(StateName.SCHEDULED, id);

        test.advance(LONG);
        test.assertState(StateName.SUCCEEDED, id);
        assertEquals(List.of("pay 7", "mail 7", "mail 7"), done);
        assertEquals(List.of(HistoryEntry.Event.NODE_LOST, HistoryEntry.Event.COMPLETED), events(id));
    }

    @Test
    void a_step_whose_record_comes_too_late_is_done_again() {
        test.inject(Fault.leaseLostInStep("first"));
        JobId id = test.jobs().enqueue(new Stubborn());

        test.drain();
        test.advance(LONG);

        test.assertState(StateName.SUCCEEDED, id);
        assertEquals(LeaseLostException.class, thrown.get(0).getClass());
        assertEquals(LeaseLostException.class, thrown.get(1).getClass());
        assertEquals("first", done.get(0));
        assertEquals("first", done.get(done.size() - 1));
    }

    @Test
    void a_success_that_comes_too_late_is_refused() {
        test.inject(Fault.leaseLostAfterRun());
        JobId id = test.jobs().enqueue(new Plain("hello"));

        test.drain();
        test.assertState(StateName.SCHEDULED, id);
        test.advance(LONG);

        test.assertState(StateName.SUCCEEDED, id);
        assertEquals(List.of("hello", "hello"), done);
        assertEquals(2, test.jobs().find(id).orElseThrow().job().attempt());
    }

    @Test
    void a_fault_that_does_not_happen_fails_the_test() {
        test.inject(Fault.crashAfterStep("pya"));
        test.jobs().enqueue(new Order(7));
        test.advance(LONG);

        AssertionError missed = assertThrows(AssertionError.class, test::close);

        assertEquals(
                "These faults did not happen:\n  Fault.crashAfterStep(\"pya\")\nNo run came to that place. Steps that were"
                        + " done: pay, mail. Jobs run when the test says so: drain(), advance(…).",
                missed.getMessage());
    }

    @Test
    void a_fault_happens_once_and_to_what_it_was_planned_for() {
        test.inject(Fault.crashAfterRun().of(Order.class).inAttempt(1));
        JobId plain = test.jobs().enqueue(new Plain("hello"));
        JobId order = test.jobs().enqueue(new Order(7));

        test.advance(LONG);

        assertEquals(List.of(HistoryEntry.Event.COMPLETED), events(plain));
        assertEquals(List.of(HistoryEntry.Event.NODE_LOST, HistoryEntry.Event.COMPLETED), events(order));
        assertFalse(done.isEmpty());
        assertThrows(IllegalArgumentException.class, () -> Fault.crashAfterRun().inAttempt(0));
    }

    private List<HistoryEntry.Event> events(JobId id) {
        return test.jobs().find(id).orElseThrow().history().stream()
                .map(HistoryEntry::event)
                .toList();
    }
}
