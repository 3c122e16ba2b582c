package dev.treadle.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Treadle;
import dev.treadle.contracts.storage.Jobs;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobStory;
import dev.treadle.job.RetryPolicy;
import dev.treadle.job.StateName;
import dev.treadle.schedule.Schedule;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.admin.AdminStorage;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(TestStorage.class)
class TreadleTestTest {
    private final List<String> ran = new ArrayList<>();
    private final AtomicReference<TreadleTest> self = new AtomicReference<>();
    private final TestStorage storage;
    private final TreadleTest test;

    private void configure(Treadle.Builder treadle) {
        treadle.settings(JobServerSettings.DEFAULT.withRetries(RetryPolicy.DEFAULT.withAttempts(3)))
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
                });
    }

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

    TreadleTestTest(TestStorage storage) {
        this.storage = storage;
        test = storage.test(this::configure);
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
    void each_occurrence_sees_its_own_time_and_so_does_each_attempt() {
        List<Instant> seen = new ArrayList<>();
        try (TreadleTest other =
                storage.test(treadle -> treadle.settings(JobServerSettings.DEFAULT.withRetries(RetryPolicy.DEFAULT
                                .withAttempts(3)
                                .withDelays(Duration.ofMinutes(10), Duration.ofMinutes(10))
                                .withJitter(0)))
                        .handler(Break.class, (failing, context) -> {
                            seen.add(self.get().now());
                            throw new IllegalStateException(failing.why());
                        }))) {
            self.set(other);
            other.jobs().recurring("noon", Schedule.cron("0 12 * * *", ZoneOffset.UTC), new Break("always"));
            other.advance(Duration.ofDays(2));
        }

        Instant noon = Instant.parse("2026-01-01T12:00:00Z");
        List<Instant> expected = new ArrayList<>();
        for (int day = 0; day < 2; day++) {
            for (int attempt = 0; attempt < 3; attempt++) {
                expected.add(noon.plus(Duration.ofDays(day)).plus(Duration.ofMinutes(10L * attempt)));
            }
        }
        assertEquals(expected, seen);
    }

    @Test
    void what_a_job_says_of_itself_has_the_time_of_the_test() {
        test.advance(Duration.ofDays(400));
        JobId id = test.jobs().enqueue(new Say("hello"));
        test.drain();

        JobStory story = test.jobs().find(id).orElseThrow();
        assertEquals(test.now(), story.job().createdAt());
        assertEquals(test.now(), story.job().state().since());
        assertEquals(test.now(), story.history().get(0).at());
    }

    @Test
    void many_jobs_at_once_have_the_time_of_the_test_too() {
        List<JobId> ids =
                test.jobs().enqueueAll(java.util.stream.IntStream.range(0, 600).mapToObj(i -> new Say("word " + i)));

        assertEquals(600, test.drain());
        for (JobId id : ids.subList(590, 600)) {
            JobStory story = test.jobs().find(id).orElseThrow();
            assertEquals(TreadleTest.START, story.job().createdAt());
            assertEquals(TreadleTest.START, story.job().state().since());
        }
    }

    @Test
    void a_job_whose_time_had_passed_when_it_was_scheduled_runs_at_once() {
        test.jobs().enqueue(new Say("before"));
        test.drain();
        test.advance(Duration.ofDays(4_000));
        test.jobs().enqueue(new Say("later"));
        test.drain();

        test.jobs().schedule(test.now().minus(Duration.ofDays(1)), new Say("past"));

        assertEquals(1, test.drain());
        assertEquals(List.of("before", "later", "past"), ran);
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
        try (TreadleTest other = storage.test(treadle -> {})) {
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
    void a_job_may_not_run_other_jobs() {
        test.jobs().enqueue(new Meddle());
        test.drain();

        assertFails(test::assertNoFailures, "A job cannot run other jobs");
    }

    @Test
    void a_storage_with_jobs_in_it_is_refused() {
        String message = assertThrows(
                        IllegalArgumentException.class,
                        () -> TreadleTest.on(
                                time -> {
                                    AdminStorage used = storage.with(time);
                                    used.insert(List.of(new Jobs().anEnqueuedJob()));
                                    return used;
                                },
                                treadle -> {}))
                .getMessage();

        assertTrue(message.contains("There are jobs in this storage"), message);
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
