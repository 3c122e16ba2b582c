package dev.treadle.storage.sql.postgresql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.storage.sql.postgresql.ClaimBound.Kind;
import dev.treadle.storage.sql.postgresql.ClaimBound.Position;
import dev.treadle.storage.sql.postgresql.ClaimBound.Segment;
import dev.treadle.storage.sql.postgresql.ClaimBound.Way;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A transaction that began long ago makes the next look begin there, while looks from the very beginning are slow. */
class ClaimBoundLateTest {
    private static final OffsetDateTime NOW = OffsetDateTime.parse("2026-01-02T03:04:05Z");
    private static final OffsetDateTime LONG_AGO = NOW.minusMinutes(1);
    private static final Duration SLOW = Duration.ofSeconds(1);

    private final AtomicLong nanos = new AtomicLong();
    private final ClaimBound bound = new ClaimBound(nanos::get);

    /** The look from the very beginning has taken long, and is not due again for half a minute. */
    private void afterASlowLook() {
        Way first = bound.way();
        assertEquals(Kind.BEGINNING, first.kind());
        nanos.addAndGet(SLOW.toNanos());
        bound.foundAll(first, NOW);
        nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    }

    private OffsetDateTime nextFrom() {
        return bound.way().segments().stream()
                .filter(segment -> segment.from().priority() == 0)
                .map(segment -> segment.from().runAt())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void the_next_claim_begins_where_the_transaction_began() {
        afterASlowLook();
        assertTrue(nextFrom().isAfter(LONG_AGO), "or there is nothing to show");

        bound.committedLate(LONG_AGO);

        assertFalse(nextFrom().isAfter(LONG_AGO));
    }

    @Test
    void a_claim_that_would_continue_at_its_tail_does_so_for_what_came_due_just_before() {
        afterASlowLook();
        Position tail = new Position(0, NOW, new UUID(0, 9));
        bound.foundMany(bound.way(), List.of(0), tail, NOW);
        assertEquals(Kind.TAIL, bound.way().kind());

        bound.committedLate(NOW.minus(100, ChronoUnit.MILLIS));
        assertEquals(Kind.TAIL, bound.way().kind(), "each walk back costs");
        bound.committedLate(NOW.minusSeconds(1));

        assertEquals(Kind.STEP_BACK, bound.way().kind());
        assertFalse(nextFrom().isAfter(NOW.minusSeconds(1)));
    }

    @Test
    void a_claim_under_way_does_not_bring_back_the_bound_that_was_given_up() {
        afterASlowLook();
        Way underWay = bound.way();
        bound.committedLate(LONG_AGO);

        bound.foundAll(underWay, NOW.plusSeconds(1));

        assertFalse(nextFrom().isAfter(LONG_AGO));
    }

    @Test
    void all_priorities_are_looked_at_from_there() {
        afterASlowLook();
        bound.learn(7);
        nanos.addAndGet(1);
        bound.foundAll(bound.way(), NOW);

        bound.committedLate(LONG_AGO);

        for (Segment segment : bound.way().segments()) {
            assertFalse(segment.from().runAt().isAfter(LONG_AGO), segment::toString);
        }
    }

    @Test
    void so_does_the_next_look_for_what_waits_for_its_time() {
        DueBound due = new DueBound(nanos::get);
        DueBound.Look first = due.look();
        nanos.addAndGet(SLOW.toNanos());
        due.looked(first, NOW);
        DueBound.Look underWay = due.look();
        assertTrue(underWay.from().isAfter(LONG_AGO), "or there is nothing to show");

        due.committedLate(LONG_AGO);
        due.looked(underWay, NOW);

        assertEquals(LONG_AGO, due.look().from());
    }

    @Test
    void a_notification_says_when_the_transaction_began() {
        Instant began = Instant.parse("2026-01-02T03:04:05.678901Z");
        String text = NotifyPayload.due(null, 8, 0) + NotifyPayload.since(began) + ";1:8;";

        assertEquals(began, NotifyPayload.began(text));
        assertEquals(8, NotifyPayload.read(text).number());
        assertNull(NotifyPayload.began(NotifyPayload.due(3, 8, 0) + ";1:8;"));
        assertNull(NotifyPayload.began("due - 1 0 what;1;"));
    }
}
