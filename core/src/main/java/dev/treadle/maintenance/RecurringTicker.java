package dev.treadle.maintenance;

import dev.treadle.lifecycle.RecurringJob;
import dev.treadle.schedule.Schedule;
import dev.treadle.storage.RecurringStorage;
import dev.treadle.storage.RecurringStorage.Advance;
import dev.treadle.storage.RecurringStorage.DueNow;
import dev.treadle.storage.RecurringStorage.Found;
import dev.treadle.storage.StorageException;
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
 * Creates the jobs of recurring jobs when their slots come: one question for all of them, then one transaction for those
 * that are due. Every node does this, and the row's version decides whose write counts. A recurring job that cannot be
 * written is found by halving the batch, and is left out for a while. Used by one thread.
 */
public final class RecurringTicker {
    /** The highest number of recurring jobs handled in one turn. */
    public static final int DUE_MAX = StorageProvider.BATCH_MAX;
    /** How long a recurring job that cannot be read or written is left out, in minutes. */
    public static final int UNREADABLE_MINUTES = 1;

    /** The highest number of parsed schedules that are kept. */
    private static final int KNOWN_MAX = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(RecurringTicker.class);

    private final RecurringStorage storage;
    private final Runnable dueNow;
    private final Duration longest;
    private final InstantSource time;
    private final Expected expected;
    private final Map<String, Schedule> known = new HashMap<>();
    /** Recurring jobs that could not be written even alone, and until when they are left out. */
    private final Map<String, Instant> putOff = new HashMap<>();
    /** How many are advanced in one transaction; halved while one of them cannot be written. */
    private int writeMax = DUE_MAX;
    /** The one that failed alone in the last turn, perhaps because the storage was unavailable; null if none did. */
    private @Nullable String failedAlone;

    /**
     * @param dueNow  run when jobs became due
     * @param longest the longest rest if nothing is {@linkplain #expect expected}
     * @param time    only differences of it matter
     * @param nudge   wakes the loop that takes turns
     */
    public RecurringTicker(
            RecurringStorage storage, Runnable dueNow, Duration longest, InstantSource time, Runnable nudge) {
        this.expected = new Expected(time, nudge);
        this.storage = storage;
        this.dueNow = dueNow;
        this.longest = longest;
        this.time = time;
    }

    /** Handles what is due, and rests until the next slot. */
    public Duration turn() {
        expected.turnBegins();
        return expected.rest(handleDue());
    }

    /** A slot comes after this delay. May be called on any thread. */
    public void expect(Duration untilSlot) {
        expected.in(until(untilSlot));
    }

    private Duration handleDue() {
        DueNow due = storage.due(DUE_MAX);
        Instant asked = time.instant();
        putOff.values().removeIf(until -> !until.isAfter(asked));
        List<Advance> batch = new ArrayList<>();
        Instant next = due.untilNext() == null ? null : due.now().plus(due.untilNext());
        int jobs = 0;
        for (Found found : due.found()) {
            Instant until = putOff.get(found.recurring().id());
            if (until != null) {
                next = earlier(next, due.now().plus(Duration.between(asked, until)));
                continue;
            }
            Advance advance = step(found, due.now());
            if (batch.size() == writeMax || jobs + advance.jobs().size() > StorageProvider.BATCH_MAX) {
                if (!advance(batch)) {
                    return Duration.ZERO;
                }
                batch.clear();
                jobs = 0;
            }
            batch.add(advance);
            jobs += advance.jobs().size();
            next = earlier(
                    next,
                    advance.progress().awaited() == null ? advance.progress().next() : null);
        }
        if (!advance(batch)) {
            return Duration.ZERO;
        }
        Duration rest = next == null
                ? longest
                : until(Duration.between(due.now(), next)).minus(Duration.between(asked, time.instant()));
        return rest.isNegative() ? Duration.ZERO : rest.compareTo(longest) > 0 ? longest : rest;
    }

    /** How long until the slot may be due: shortly before it, or at its own time if it is not due then. */
    private static Duration until(Duration untilSlot) {
        return untilSlot.compareTo(RecurringStorage.AHEAD) > 0 ? untilSlot.minus(RecurringStorage.AHEAD) : untilSlot;
    }

    private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one.isBefore(other) ? one : other;
    }

    /**
     * Advances due recurring jobs.
     *
     * @return false if one of several cannot be written, so that a smaller batch should be tried
     */
    private boolean advance(List<Advance> batch) {
        if (batch.isEmpty()) {
            return true;
        }
        try {
            storage.advance(batch);
            failedAlone = null;
            writeMax = Math.min(DUE_MAX, 2 * writeMax);
        } catch (RuntimeException e) {
            writeMax = Math.max(1, batch.size() / 2);
            boolean passing = e instanceof StorageException away && away.isWorthRepeating();
            if (batch.size() == 1) {
                putOff(batch.get(0).seen().id(), passing, e);
            } else if (!passing) {
                return false;
            }
            if (passing) {
                throw e;
            }
        }
        // also if another node was quicker: the jobs that it created can run here
        dueNow.run();
        return true;
    }

    /** @param passing the storage may have been unavailable; then the job is left out only if it fails alone again */
    private void putOff(String id, boolean passing, RuntimeException why) {
        if (passing && !id.equals(failedAlone)) {
            failedAlone = id;
            return;
        }
        putOff.put(id, time.instant().plus(Duration.ofMinutes(UNREADABLE_MINUTES)));
        LOG.error(
                "The recurring job '{}' cannot be advanced. It is left out for {} min; all others go on.",
                id,
                UNREADABLE_MINUTES,
                why);
    }

    private Advance step(Found found, Instant now) {
        RecurringJob recurring = found.recurring();
        String text = recurring.plan().schedule();
        try {
            return RecurringStep.of(found, schedule(text), now);
        } catch (RuntimeException e) {
            // not thrown: one such row would stop all others
            LOG.error(
                    "The recurring job '{}' cannot run because its schedule '{}' cannot be parsed: {}",
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
