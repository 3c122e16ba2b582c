package dev.treadle.maintenance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.Invocation;
import dev.treadle.job.JobTraits;
import dev.treadle.job.NodeId;
import dev.treadle.lifecycle.RecurringJob;
import dev.treadle.lifecycle.RecurringJob.Plan;
import dev.treadle.lifecycle.RecurringJob.Progress;
import dev.treadle.lifecycle.RecurringJob.Standing;
import dev.treadle.lifecycle.RecurringJob.Status;
import dev.treadle.schedule.Missed;
import dev.treadle.schedule.RecurringRules;
import dev.treadle.storage.RecurringStorage;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
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

    @Test
    void one_that_cannot_be_written_stops_no_other_and_rests() {
        for (int i = 0; i < 30; i++) {
            keep("r" + i, "every PT1H", START);
        }
        List<Integer> sizes = new ArrayList<>();
        RecurringTicker isolating = new RecurringTicker(
                failing(
                        advances -> {
                            sizes.add(advances.size());
                            return advances.stream()
                                    .anyMatch(one -> one.seen().id().equals("r13"));
                        },
                        new IllegalStateException("no lane number is left")),
                nudges::incrementAndGet,
                LONGEST,
                () -> now,
                () -> {});

        for (int turns = 1; isolating.turn().isZero(); turns++) {
            assertTrue(turns < 50, "it does not come to an end");
        }

        assertEquals(29, storage.claim(new NodeId(1), StorageProvider.BATCH_MAX).size());
        assertTrue(sizes.size() < 20, "halving takes few writes: " + sizes);
        sizes.clear();
        assertTrue(isolating.turn().compareTo(Duration.ZERO) > 0);
        assertEquals(List.of(), sizes, "it is not tried again at once");

        now = now.plus(Duration.ofMinutes(RecurringTicker.UNREADABLE_MINUTES));
        isolating.turn();
        assertEquals(List.of(1), sizes);
    }

    @Test
    void one_whose_row_is_locked_for_long_stops_no_other_and_a_storage_that_is_away_puts_off_none() {
        for (int i = 0; i < 4; i++) {
            keep("r" + i, "every PT1H", START);
        }
        AtomicBoolean away = new AtomicBoolean(true);
        RecurringTicker patient = new RecurringTicker(
                failing(
                        advances -> away.get()
                                || advances.stream()
                                        .anyMatch(one -> one.seen().id().equals("r0")),
                        new StorageException("it took too long", null, true)),
                nudges::incrementAndGet,
                LONGEST,
                () -> now,
                () -> {});
        for (int i = 0; i < 3; i++) {
            assertThrows(StorageException.class, patient::turn);
        }
        away.set(false);

        for (int turns = 0; turns < 10; turns++) {
            try {
                patient.turn();
            } catch (StorageException e) {
                // the loop reports it and takes another turn
            }
        }

        assertEquals(3, storage.claim(new NodeId(1), StorageProvider.BATCH_MAX).size());
    }

    /** The storage, where moving on fails for some. */
    private RecurringStorage failing(Predicate<List<RecurringStorage.Advance>> whether, RuntimeException how) {
        return (RecurringStorage) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {RecurringStorage.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("advance") && whether.test(advancesIn(arguments))) {
                        throw how;
                    }
                    try {
                        return method.invoke(storage.recurring(), arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @SuppressWarnings("unchecked")
    private static List<RecurringStorage.Advance> advancesIn(Object[] arguments) {
        return (List<RecurringStorage.Advance>) arguments[0];
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
