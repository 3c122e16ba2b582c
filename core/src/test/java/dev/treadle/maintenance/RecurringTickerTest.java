package dev.treadle.maintenance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.Invocation;
import dev.treadle.job.JobTraits;
import dev.treadle.job.NodeId;
import dev.treadle.schedule.Missed;
import dev.treadle.schedule.RecurringRules;
import dev.treadle.storage.InMemoryStorageProvider;
import dev.treadle.storage.RecurringJob;
import dev.treadle.storage.RecurringJob.Plan;
import dev.treadle.storage.RecurringJob.Progress;
import dev.treadle.storage.RecurringJob.Standing;
import dev.treadle.storage.RecurringJob.Status;
import dev.treadle.storage.RecurringStorage;
import dev.treadle.storage.StorageProvider;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RecurringTickerTest {
    private static final Instant START = Instant.parse("2026-03-04T00:00:00Z");
    private static final Duration LONGEST = Duration.ofMillis(200);
    private static final RecurringRules ALL = RecurringRules.DEFAULT.withMissed(Missed.all(1_000));

    private Instant now = START;
    private final InMemoryStorageProvider storage = new InMemoryStorageProvider(() -> now);
    private final AtomicInteger nudges = new AtomicInteger();
    private final AtomicInteger woken = new AtomicInteger();
    private final RecurringTicker ticker = new RecurringTicker(
            storage.recurring(), nudges::incrementAndGet, LONGEST, () -> now, woken::incrementAndGet);

    @Test
    void it_rests_until_the_next_slot_and_never_longer_than_the_longest_rest() {
        assertEquals(LONGEST, ticker.turn(), "nothing recurs");

        keep("far", "every PT1H", START.plus(Duration.ofHours(1)));
        assertEquals(LONGEST, ticker.turn());

        keep("near", "every PT1S", START.plus(RecurringStorage.AHEAD).plusMillis(70));
        assertEquals(Duration.ofMillis(70), ticker.turn());
        assertEquals(0, nudges.get());
    }

    @Test
    void a_slot_that_comes_before_its_rest_is_over_wakes_it_and_no_other() {
        keep("near", "every PT1S", START.plus(RecurringStorage.AHEAD).plusMillis(100));
        ticker.turn();

        ticker.expect(RecurringStorage.AHEAD.plusMillis(100));
        assertEquals(0, woken.get());

        ticker.expect(Duration.ZERO);
        assertEquals(1, woken.get());
    }

    @Test
    void what_it_has_just_moved_on_counts_for_its_rest() {
        keep("x", "every PT0.1S", START);

        assertEquals(Duration.ofMillis(100), ticker.turn());
        assertEquals(1, nudges.get());
    }

    @Test
    void more_slots_than_fit_into_one_transaction_or_turn_are_all_dealt_with() {
        int recurring = 30;
        for (int i = 0; i < recurring; i++) {
            keep("r" + i, "every PT1S", START);
        }
        now = START.plusSeconds(149);

        int turns = 1;
        while (ticker.turn().isZero()) {
            turns++;
        }

        int jobs = 0;
        for (int taken;
                (taken = storage.claim(new NodeId(1), StorageProvider.BATCH_MAX).size()) > 0; ) {
            jobs += taken;
        }
        assertEquals(recurring * 150, jobs);
        assertTrue(turns <= 3, turns + " turns");
    }

    private void keep(String id, String schedule, Instant next) {
        assertTrue(storage.recurring()
                .write(new RecurringJob(
                        id,
                        new Plan(new Invocation("x.Y", null, "{}"), JobTraits.DEFAULT, schedule, schedule, ALL),
                        Progress.from(next),
                        new Standing(Status.ACTIVE, null, null, START),
                        0)));
    }
}
