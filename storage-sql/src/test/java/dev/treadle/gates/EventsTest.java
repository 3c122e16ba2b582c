package dev.treadle.gates;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Treadle;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs that wait for people and for time. */
@ParameterizedClass
@EnumSource(GateFixture.Kind.class)
@Timeout(240)
class EventsTest extends GateFixture {
    record Refund(int order) implements JobRequest<String> {}

    record Note(String by, int amount) {}

    enum Decision {
        YES,
        NO
    }

    private final ConcurrentLinkedQueue<String> done = new ConcurrentLinkedQueue<>();

    EventsTest(Kind kind) {
        super(kind);
    }

    private Treadle refunds(Duration patience) {
        return opened(builder()
                .resultHandler(Refund.class, (refund, job) -> {
                    job.step("ask", () -> done.add("asked for " + refund.order()));
                    Decision decision =
                            job.await("decision", Decision.class, patience).orElse(Decision.NO);
                    return decision == Decision.YES ? "refunded" : "refused";
                })
                .start());
    }

    @Test
    void a_job_waits_for_a_person() throws Exception {
        Treadle treadle = refunds(Duration.ofDays(3));
        JobId id = treadle.jobs().enqueue(new Refund(7));
        awaitState(treadle, id, StateName.WAITING);

        assertEquals(WriteResult.WRITTEN, treadle.jobs().signal(id, "decision", Decision.YES));

        assertEquals(
                "refunded",
                treadle.jobs().await(id, String.class, Duration.ofSeconds(60)).orElseThrow());
        assertEquals(List.of("asked for 7"), List.copyOf(done));
        assertEquals(
                new WriteResult.Stale(StateName.SUCCEEDED),
                treadle.jobs().signal(id, "decision", Decision.NO),
                "too late");
    }

    @Test
    void an_event_that_comes_before_it_is_awaited_is_kept_and_the_first_counts() throws Exception {
        Treadle treadle = refunds(Duration.ofDays(3));
        JobId id = treadle.jobs().schedule(Duration.ofSeconds(2), new Refund(7));

        assertEquals(WriteResult.WRITTEN, treadle.jobs().signal(id, "decision", Decision.YES));
        assertEquals(new WriteResult.Stale(StateName.SCHEDULED), treadle.jobs().signal(id, "decision", Decision.NO));

        assertEquals(
                "refunded",
                treadle.jobs().await(id, String.class, Duration.ofSeconds(60)).orElseThrow());
        assertTrue(story(treadle, id).history().size() == 1, "it never waited");
    }

    @Test
    void an_event_that_does_not_come_in_time_is_empty() throws Exception {
        Treadle treadle = refunds(Duration.ofMillis(300));
        JobId id = treadle.jobs().enqueue(new Refund(7));

        assertEquals(
                "refused",
                treadle.jobs().await(id, String.class, Duration.ofSeconds(60)).orElseThrow());
        assertEquals(1, story(treadle, id).job().attempt());
    }

    @Test
    void a_signal_to_nobody_is_said_to_be_missing_and_one_that_cannot_be_stored_is_refused() {
        Treadle treadle = refunds(Duration.ofDays(3));
        JobId id = treadle.jobs().enqueue(new Refund(7));
        awaitState(treadle, id, StateName.WAITING);

        assertEquals(WriteResult.MISSING, treadle.jobs().signal(id.derive("other"), "decision", Decision.YES));
        assertThrows(IllegalArgumentException.class, () -> treadle.jobs().signal(id, "decision", "x".repeat(100_000)));
        assertThrows(IllegalArgumentException.class, () -> treadle.jobs().signal(id, " ", Decision.YES));
        assertEquals(StateName.WAITING, story(treadle, id).job().state().name());
    }

    @Test
    void a_signal_in_a_transaction_is_seen_after_its_commit() throws Exception {
        if (database == null) {
            return;
        }
        Treadle treadle = refunds(Duration.ofDays(3));
        JobId id = treadle.jobs().enqueue(new Refund(7));
        awaitState(treadle, id, StateName.WAITING);

        assertThrows(
                IllegalStateException.class,
                () -> treadle.jobs().transaction(database, connection -> {
                    treadle.jobs().signal(id, "decision", Decision.NO);
                    throw new IllegalStateException("rolled back");
                }));
        treadle.jobs().transaction(database, connection -> treadle.jobs().signal(id, "decision", Decision.YES));

        assertEquals(
                "refunded",
                treadle.jobs().await(id, String.class, Duration.ofSeconds(60)).orElseThrow());
    }

    @Test
    void run_from_the_start_waits_again() throws Exception {
        Treadle treadle = refunds(Duration.ofDays(3));
        JobId id = treadle.jobs().enqueue(new Refund(7));
        treadle.jobs().signal(id, "decision", Decision.NO);
        treadle.jobs().await(id, String.class, Duration.ofSeconds(60));

        treadle.jobs().runFromStart(id, "anna", "decide again");
        awaitState(treadle, id, StateName.WAITING);
        treadle.jobs().signal(id, "decision", Decision.YES);
        awaitState(treadle, id, StateName.SUCCEEDED);

        assertEquals("refunded", treadle.jobs().result(id, String.class).orElseThrow());
        assertEquals(2, done.size());
    }

    record Nap(int millis) implements JobRequest<String> {}

    @Test
    void a_job_sleeps_once_and_holds_no_thread() throws Exception {
        Treadle treadle = opened(builder()
                .settings(QUICK.withWorkers(1))
                .resultHandler(Nap.class, (nap, job) -> {
                    done.add("call");
                    job.sleep("nap", Duration.ofMillis(nap.millis()));
                    job.step("work", () -> done.add("work"));
                    job.sleep("short", Duration.ofMillis(1));
                    return "rested";
                })
                .start());
        JobId slow = treadle.jobs().enqueue(new Nap(3_600_000));
        awaitState(treadle, slow, StateName.SCHEDULED);
        JobId quick = treadle.jobs().enqueue(new Nap(200));

        assertEquals(
                "rested",
                treadle.jobs()
                        .await(quick, String.class, Duration.ofSeconds(60))
                        .orElseThrow());
        assertEquals(1, done.stream().filter("work"::equals).count());
        assertEquals(1, story(treadle, quick).job().attempt());
        assertEquals(StateName.SCHEDULED, story(treadle, slow).job().state().name());
    }

    record Approve(int id) implements JobRequest<String> {}

    @Test
    void an_event_of_another_type_parks_the_job() {
        Treadle treadle = opened(builder()
                .resultHandler(
                        Approve.class,
                        (approve, job) -> job.await("note", Note.class, Duration.ofDays(1))
                                .orElseThrow()
                                .by())
                .start());
        JobId id = treadle.jobs().enqueue(new Approve(1));

        treadle.jobs().signal(id, "note", "no note");

        awaitState(treadle, id, StateName.PARKED);
    }
}
