package dev.treadle.maintenance;

import dev.treadle.schedule.Schedule;
import dev.treadle.storage.RecurringJob;
import dev.treadle.storage.RecurringStorage;
import dev.treadle.storage.RecurringStorage.Advance;
import dev.treadle.storage.RecurringStorage.DueNow;
import dev.treadle.storage.RecurringStorage.Found;
import dev.treadle.storage.StorageProvider;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the jobs of recurring jobs when their time has come: one question for all of them, then one transaction for what
 * is due. Every node does this; the row's version decides whose work counts. Used by one thread.
 */
public final class RecurringTicker {
    /** Most recurring jobs dealt with in one turn. */
    public static final int DUE_MAX = StorageProvider.BATCH_MAX;
    /** How long a recurring job rests whose schedule cannot be read, in minutes. */
    public static final int UNREADABLE_MINUTES = 1;

    /** Most schedules that are remembered as read. */
    private static final int KNOWN_MAX = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(RecurringTicker.class);

    private final RecurringStorage storage;
    private final Runnable dueNow;
    private final Duration longest;
    private final InstantSource time;
    private final Expected expected;
    private final Map<String, Schedule> known = new HashMap<>();

    /**
     * @param dueNow  told when jobs became due
     * @param longest the longest rest, if nothing is {@linkplain #expect expected}
     * @param time    only spans of it matter
     * @param nudge   ends the rest of the loop that takes turns
     */
    public RecurringTicker(
            RecurringStorage storage, Runnable dueNow, Duration longest, InstantSource time, Runnable nudge) {
        this.expected = new Expected(time, nudge);
        this.storage = storage;
        this.dueNow = dueNow;
        this.longest = longest;
        this.time = time;
    }

    /** Deals with what is due and rests until the next slot. */
    public Duration turn() {
        expected.asks();
        return expected.rests(deal());
    }

    /** A slot comes after so long. Any thread. */
    public void expect(Duration untilSlot) {
        expected.in(until(untilSlot));
    }

    private Duration deal() {
        DueNow due = storage.due(DUE_MAX);
        Instant asked = time.instant();
        List<Advance> batch = new ArrayList<>();
        Instant next = due.untilNext() == null ? null : due.now().plus(due.untilNext());
        int jobs = 0;
        for (Found found : due.found()) {
            Advance advance = step(found, due.now());
            if (jobs + advance.jobs().size() > StorageProvider.BATCH_MAX) {
                advance(batch);
                batch.clear();
                jobs = 0;
            }
            batch.add(advance);
            jobs += advance.jobs().size();
            next = earlier(
                    next,
                    advance.progress().awaited() == null ? advance.progress().next() : null);
        }
        advance(batch);
        Duration rest = next == null
                ? longest
                : until(Duration.between(due.now(), next)).minus(Duration.between(asked, time.instant()));
        return rest.isNegative() ? Duration.ZERO : rest.compareTo(longest) > 0 ? longest : rest;
    }

    /** Until the slot may be due: at itself, or so long before; what is not due at the latter is at the former. */
    private static Duration until(Duration untilSlot) {
        return untilSlot.compareTo(RecurringStorage.AHEAD) > 0 ? untilSlot.minus(RecurringStorage.AHEAD) : untilSlot;
    }

    private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one.isBefore(other) ? one : other;
    }

    private void advance(List<Advance> batch) {
        if (!batch.isEmpty()) {
            storage.advance(batch);
            // also if another node was quicker: what it made due can run here
            dueNow.run();
        }
    }

    private Advance step(Found found, Instant now) {
        RecurringJob recurring = found.recurring();
        String text = recurring.plan().schedule();
        try {
            return RecurringStep.of(found, schedule(text), now);
        } catch (IllegalArgumentException e) {
            // why not thrown: one such row would stop all others
            LOG.error(
                    "The recurring job '{}' cannot run: its schedule '{}' cannot be read: {}",
                    recurring.id(),
                    text,
                    e.getMessage());
            return new Advance(
                    recurring,
                    recurring.progress().withNext(now.plus(Duration.ofMinutes(UNREADABLE_MINUTES))),
                    List.of());
        }
    }

    private Schedule schedule(String text) {
        if (known.size() > KNOWN_MAX) {
            known.clear();
        }
        return known.computeIfAbsent(text, Schedule::parse);
    }
}
