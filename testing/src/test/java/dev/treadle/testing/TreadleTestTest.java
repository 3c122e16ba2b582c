package dev.treadle.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.RetryPolicy;
import dev.treadle.job.StateName;
import dev.treadle.schedule.Schedule;
import dev.treadle.server.JobServerSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TreadleTestTest {
    private final List<String> ran = new ArrayList<>();
    private final AtomicReference<TreadleTest> self = new AtomicReference<>();
    private final TreadleTest test = TreadleTest.with(treadle -> treadle.settings(
                    JobServerSettings.DEFAULT.withRetries(RetryPolicy.DEFAULT.withAttempts(3)))
            .handler(Say.class, (say, context) -> {
                ran.add(say.word());
            })
            .handler(Chain.class, (chain, context) -> {
                ran.add("link " + chain.left());
                if (chain.left() > 0) {
                    self.get().jobs().enqueue(new Chain(chain.left() - 1));
                }
            })
            .handler(Break.class, (failing, context) -> {
                ran.add("broke");
                throw new IllegalStateException(failing.why());
            })
            .handler(Stepping.class, (stepping, context) -> {
                ran.add(context.step("first", () -> "did it in attempt " + context.attempt()));
                context.step("second", () -> {
                    if (context.attempt() == 1) {
                        throw new IllegalStateException("not yet");
                    }
                });
            })
            .handler(Meddle.class, (meddle, context) -> {
                self.get().drain();
            }));

    record Say(String word) implements JobRequest<Void> {}

    record Chain(int left) implements JobRequest<Void> {}

    record Break(String why) implements JobRequest<Void> {}

    record Stepping() implements JobRequest<Void> {}

    record Meddle() implements JobRequest<Void> {}

    record Unknown() implements JobRequest<Void> {}

    /** What lambdas call. */
    public static final class Mailer {
        private static final List<String> SENT = new ArrayList<>();

        /** Remembers it. */
        public void send(String to) {
            SENT.add(to);
        }
    }

    TreadleTestTest() {
        self.set(test);
    }

    @AfterEach
    void close() {
        test.close();
    }

    @Test
    void steps_are_done_once() {
        JobId id = test.jobs().enqueue(new Stepping());

        test.drain();
        test.advance(Duration.ofDays(1));

        test.assertState(StateName.SUCCEEDED, id);
        assertEquals(List.of("did it in attempt 1", "did it in attempt 1"), ran);
        assertEquals(2, test.jobs().steps(id).size());
    }

    @Test
    void nothing_runs_before_the_test_says_so() {
        JobId id = test.jobs().enqueue(new Say("hello"));

        assertEquals(List.of(), ran);
        test.assertState(StateName.ENQUEUED, id);
        assertEquals("hello", test.enqueued(Say.class).get(0).word());
        assertEquals(1, test.runDueJobs());
        assertEquals(List.of("hello"), ran);
        test.assertState(StateName.SUCCEEDED, id);
        test.assertNothingEnqueued();
    }

    @Test
    void one_pass_runs_what_is_due_and_not_what_that_enqueues() {
        test.jobs().enqueue(new Chain(2));
        test.jobs().enqueue(new Say("also due"));

        assertEquals(2, test.runDueJobs());
        assertEquals(List.of("link 2", "also due"), ran);
        test.assertEnqueued(Chain.class, chain -> chain.left() == 1);
    }

    @Test
    void draining_runs_what_jobs_enqueue_until_nothing_is_due() {
        test.jobs().enqueue(new Chain(3));

        assertEquals(4, test.drain());
        assertEquals(List.of("link 3", "link 2", "link 1", "link 0"), ran);
        assertEquals(0, test.drain());
    }

    @Test
    void a_hundred_jobs_run_in_the_order_in_which_they_came() {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            test.jobs().enqueue(new Say("word " + i));
            expected.add("word " + i);
        }

        assertEquals(100, test.drain());
        assertEquals(expected, ran);
    }

    @Test
    void a_scheduled_job_runs_when_its_time_has_come_and_not_before() {
        test.jobs().schedule(Duration.ofHours(1), new Say("later"));

        test.assertEnqueued(Say.class);
        assertEquals(0, test.drain());
        assertEquals(0, test.advance(Duration.ofMinutes(59)));
        assertEquals(1, test.advance(Duration.ofMinutes(1)));
        assertEquals(TreadleTest.START.plus(Duration.ofHours(1)), test.now());
    }

    @Test
    void what_becomes_due_while_time_passes_runs_in_the_order_of_its_time() {
        test.jobs().schedule(Duration.ofHours(2), new Say("second"));
        test.jobs().schedule(Duration.ofHours(1), new Say("first"));

        assertEquals(2, test.advance(Duration.ofDays(1)));
        assertEquals(List.of("first", "second"), ran);
    }

    @Test
    void a_recurring_job_runs_once_for_each_of_its_times() {
        test.jobs().recurring("dawn", Schedule.cron("0 6 * * *", ZoneOffset.UTC), new Say("sun"));

        assertEquals(3, test.advance(Duration.ofDays(3)));
        assertEquals(List.of("sun", "sun", "sun"), ran);
    }

    @Test
    void a_failed_job_is_tried_again_as_time_passes_until_its_attempts_are_used_up() {
        JobId id = test.jobs().enqueue(new Break("no mail server"));

        assertEquals(1, test.drain());
        test.assertState(StateName.SCHEDULED, id);
        assertEquals(2, test.advance(Duration.ofHours(1)));
        test.assertState(StateName.FAILED, id);
        assertEquals(List.of("broke", "broke", "broke"), ran);
    }

    @Test
    void two_runs_of_the_same_test_get_the_same_ids() {
        JobId here = test.jobs().enqueue(new Say("hello"));
        try (TreadleTest other = TreadleTest.with(treadle -> {})) {
            assertEquals(here, other.jobs().enqueue(new Say("hello")));
        }
    }

    @Test
    void a_paused_queue_runs_nothing_until_it_is_resumed() {
        test.jobs().enqueue(new Say("hello"));
        test.queues().pause("default", "a test", null);

        assertEquals(0, test.drain());
        test.queues().resume("default", "a test");
        assertEquals(1, test.drain());
    }

    @Test
    void calls_of_lambdas_and_method_references_are_found_and_run() {
        Mailer mailer = new Mailer();
        test.jobs().enqueue(mailer::send, "ada@example.org");

        test.assertCallEnqueued(Mailer.class, "send");
        assertFails(() -> test.assertCallEnqueued(Mailer.class, "sen"), "No call of Mailer#sen is enqueued.");
        test.drain();
        assertEquals(List.of("ada@example.org"), Mailer.SENT);
        Mailer.SENT.clear();
    }

    @Test
    void what_is_missing_is_said_with_what_there_is() {
        assertFails(() -> test.assertEnqueued(Say.class), "No Say is enqueued. There are no jobs.");
        test.jobs().enqueue(new Say("hello"));
        test.jobs().schedule(Instant.parse("2026-02-03T04:05:06Z"), new Chain(7));

        assertFails(
                () -> test.assertEnqueued(Break.class),
                "No Break is enqueued. Jobs:",
                "ENQUEUED",
                "{\"word\":\"hello\"}");
        assertFails(
                () -> test.assertEnqueued(Say.class, say -> say.word().isEmpty()),
                "None of the 1 enqueued Say matches: [Say[word=hello]]");
        assertFails(() -> test.assertEnqueued(2, Say.class), "Expected 2 enqueued Say, found 1.");
        assertFails(test::assertNothingEnqueued, "found 2.", "SCHEDULED", "at 2026-02-03T04:05:06Z");
        test.assertEnqueued(1, Say.class);
    }

    @Test
    void failures_are_said_with_the_attempt_and_its_trace() {
        test.assertNoFailures();
        JobId id = test.jobs().enqueue(new Break("no mail server"));
        test.drain();

        assertFails(test::assertNoFailures, "Jobs failed:", "Break", "attempt 1:", "no mail server", "\tat ");
        assertFails(
                () -> test.assertState(StateName.SUCCEEDED, id),
                "to be SUCCEEDED, and it is SCHEDULED.",
                "no mail server");
    }

    @Test
    void a_request_without_a_handler_counts_as_a_failure() {
        JobId id = test.jobs().enqueue(new Unknown());

        test.drain();
        test.assertState(StateName.PARKED, id);
        assertFails(test::assertNoFailures, "Unknown");
    }

    @Test
    void a_job_that_enqueues_itself_for_ever_is_found() {
        test.jobs().enqueue(new Chain(Integer.MAX_VALUE));

        String message = assertThrows(IllegalStateException.class, test::drain).getMessage();
        assertTrue(message.contains("Does a job enqueue itself again and again?"), message);
    }

    @Test
    void a_job_may_not_run_other_jobs() {
        test.jobs().enqueue(new Meddle());
        test.drain();

        assertFails(test::assertNoFailures, "A job cannot run other jobs");
    }

    @Test
    void wrong_use_is_refused_with_what_to_do() {
        assertEquals(
                "advance(PT-1S) would turn time back, and time only passes.",
                assertThrows(IllegalArgumentException.class, () -> test.advance(Duration.ofSeconds(-1)))
                        .getMessage());
        assertFails(
                () -> test.assertState(StateName.ENQUEUED, JobId.parse("00000000-0000-7000-8000-000000000000")),
                "There is no job");
        test.close();
        assertTrue(assertThrows(IllegalStateException.class, test::drain)
                .getMessage()
                .contains("closed"));
    }

    private static void assertFails(Runnable assertion, String... parts) {
        String message = assertThrows(AssertionError.class, assertion::run).getMessage();
        for (String part : parts) {
            assertTrue(message.contains(part), message);
        }
    }
}
