package dev.treadle.outcome;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.treadle.job.Failure;
import dev.treadle.job.HistoryEntry.Event;
import dev.treadle.job.JobResult;
import dev.treadle.job.RetryDecision;
import dev.treadle.job.RetryPolicy;
import dev.treadle.lifecycle.AttemptEnd;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Transition;
import dev.treadle.lifecycle.Trigger;
import dev.treadle.storage.Leases;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class NextStateTest {
    private static final double MIDDLE = 0.5;
    private static final Duration RAN = Duration.ofMillis(12);
    private static final Failure WHY = Failure.because("Boom", "it did");
    private static final RetryDecision IN_A_MINUTE = RetryDecision.after(Duration.ofMinutes(1));
    private static final RetryDecision NEVER_AGAIN_SOON = RetryDecision.after(Duration.ofSeconds(Long.MAX_VALUE));
    private static final JobResult RESULT = JobResult.of("42");
    private static final RetryDecision TWICE_HOURLY = RetryDecision.under(
            RetryPolicy.DEFAULT.withAttempts(2).withDelays(Duration.ofHours(1), Duration.ofHours(1)));
    private static final RetryDecision AT_ONCE = RetryDecision.after(Duration.ZERO);

    /** Of three attempts in all, after 5 s and 10 s. */
    private final NextState next = new NextState(RetryPolicy.DEFAULT.withAttempts(3));

    private record Row(Outcome outcome, int attempt, Transition expected) {}

    private static final Lease FIRST = Leases.inAttempt(1, null);
    private static final Lease SECOND = Leases.inAttempt(2, null);
    private static final Lease LAST = Leases.inAttempt(3, null);

    private static final List<Row> TABLE = List.of(
            new Row(new Outcome.Completed(RAN), 1, AttemptEnd.succeeded(FIRST, RAN)),
            new Row(new Outcome.Completed(RAN), 3, AttemptEnd.succeeded(LAST, RAN)),
            new Row(new Outcome.Completed(RAN, RESULT), 2, AttemptEnd.succeeded(SECOND, RAN, RESULT)),
            new Row(
                    new Outcome.Committed(AttemptEnd.succeeded(SECOND, RAN, RESULT)),
                    2,
                    AttemptEnd.succeeded(SECOND, RAN, RESULT)),
            new Row(new Outcome.Snoozed(RAN, Duration.ofHours(1)), 3, snooze(LAST, Duration.ofHours(1))),
            new Row(new Outcome.Snoozed(RAN, Duration.ofDays(999)), 1, snooze(FIRST, Duration.ofDays(365))),
            new Row(new Outcome.Suspended(RAN), 1, AttemptEnd.suspended(FIRST, RAN)),
            new Row(new Outcome.Suspended(RAN), 3, AttemptEnd.suspended(LAST, RAN)),
            new Row(new Outcome.Stopped(RAN), 1, AttemptEnd.stopped(FIRST, RAN)),
            new Row(new Outcome.Stopped(RAN), 3, AttemptEnd.stopped(LAST, RAN)),
            new Row(new Outcome.NotRunnable("no handler", false), 1, park(FIRST, false)),
            new Row(new Outcome.NotRunnable("no handler", false), 3, park(LAST, false)),
            new Row(new Outcome.NotRunnable("no handler", true), 1, park(FIRST, true)),
            new Row(threw(RetryDecision.BY_POLICY), 1, retry(FIRST, Event.THREW, 5)),
            new Row(threw(RetryDecision.BY_POLICY), 2, retry(SECOND, Event.THREW, 10)),
            new Row(threw(RetryDecision.BY_POLICY), 3, fail(LAST, Event.THREW)),
            new Row(threw(RetryDecision.GIVE_UP), 1, fail(FIRST, Event.THREW)),
            new Row(threw(RetryDecision.GIVE_UP), 3, fail(LAST, Event.THREW)),
            new Row(threw(IN_A_MINUTE), 1, retry(FIRST, Event.THREW, 60)),
            new Row(threw(IN_A_MINUTE), 3, fail(LAST, Event.THREW)),
            new Row(threw(AT_ONCE), 1, retry(FIRST, Event.THREW, 0)),
            new Row(threw(TWICE_HOURLY), 1, retry(FIRST, Event.THREW, 3600)),
            new Row(threw(TWICE_HOURLY), 2, fail(SECOND, Event.THREW)),
            new Row(threw(NEVER_AGAIN_SOON), 1, retry(FIRST, Event.THREW, 365L * 24 * 60 * 60)),
            new Row(new Outcome.NodeLost(WHY), 1, retry(FIRST, Event.NODE_LOST, 5)),
            new Row(new Outcome.NodeLost(WHY), 2, retry(SECOND, Event.NODE_LOST, 10)),
            new Row(new Outcome.NodeLost(WHY), 3, fail(LAST, Event.NODE_LOST)));

    @Test
    void what_becomes_of_a_job_stands_in_the_table() {
        for (Row row : TABLE) {
            assertEquals(
                    row.expected(),
                    next.after(Leases.inAttempt(row.attempt(), null), row.outcome(), MIDDLE),
                    () -> row.outcome() + " in attempt " + row.attempt());
        }
    }

    @Test
    void no_kind_of_outcome_and_of_decision_is_missing_from_the_table() {
        Set<Class<?>> outcomes =
                TABLE.stream().map(row -> row.outcome().getClass()).collect(Collectors.toSet());
        Set<Class<?>> decisions = TABLE.stream()
                .map(Row::outcome)
                .filter(Outcome.Threw.class::isInstance)
                .map(threw -> ((Outcome.Threw) threw).decision().getClass())
                .collect(Collectors.toSet());

        assertEquals(Set.copyOf(Arrays.asList(Outcome.class.getPermittedSubclasses())), outcomes);
        assertEquals(Set.copyOf(Arrays.asList(RetryDecision.class.getPermittedSubclasses())), decisions);
    }

    @Test
    void every_trigger_that_ends_an_attempt_is_given() {
        Set<Trigger> given = TABLE.stream().map(row -> row.expected().trigger()).collect(Collectors.toSet());
        // an attempt that never began has no outcome
        given.add(Trigger.GIVE_BACK);

        assertEquals(
                Arrays.stream(Trigger.values()).filter(Trigger::endsAttempt).collect(Collectors.toSet()), given);
    }

    @Test
    void each_ending_is_a_legal_move_from_processing() {
        TABLE.forEach(row -> assertEquals(
                true,
                row.expected()
                        .trigger()
                        .isAllowedIn(row.expected().lease().job().state().name()),
                row.expected()::toString));
    }

    @Test
    void a_jobs_own_retry_policy_comes_before_the_nodes() {
        Lease once = Leases.inAttempt(1, RetryPolicy.NEVER);
        Lease often = Leases.inAttempt(9, RetryPolicy.DEFAULT.withDelays(Duration.ofMinutes(2), Duration.ofMinutes(2)));

        assertEquals(fail(once, Event.THREW), next.after(once, threw(RetryDecision.BY_POLICY), MIDDLE));
        assertEquals(retry(often, Event.THREW, 120), next.after(often, threw(RetryDecision.BY_POLICY), MIDDLE));
    }

    @Test
    void the_random_number_becomes_the_jitter_of_the_policys_wait_and_of_no_other() {
        Transition byPolicy = next.after(FIRST, threw(RetryDecision.BY_POLICY), 0);
        Transition asked = next.after(FIRST, threw(IN_A_MINUTE), 0);

        assertEquals(retry(FIRST, Event.THREW, 4), byPolicy);
        assertEquals(retry(FIRST, Event.THREW, 60), asked);
        assertNotNull(byPolicy.why());
    }

    private static Outcome threw(RetryDecision decision) {
        return new Outcome.Threw(RAN, WHY, decision);
    }

    private static Transition snooze(Lease lease, Duration delay) {
        return AttemptEnd.snoozed(lease, RAN, delay);
    }

    private static Transition park(Lease lease, boolean known) {
        return AttemptEnd.parked(lease, Failure.because("NotRunnable", "no handler"), known);
    }

    private static Transition retry(Lease lease, Event event, long seconds) {
        Duration delay = Duration.ofSeconds(seconds);
        return event == Event.THREW
                ? AttemptEnd.retried(lease, RAN, WHY, delay)
                : AttemptEnd.rescued(lease, WHY, delay);
    }

    private static Transition fail(Lease lease, Event event) {
        return event == Event.THREW ? AttemptEnd.failed(lease, RAN, WHY) : AttemptEnd.abandoned(lease, WHY);
    }
}
