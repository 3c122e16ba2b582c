package dev.treadle.lifecycle;

import dev.treadle.job.KeyRule;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How much room a key has: pure arithmetic, so that every storage decides alike. A storage keeps one for each key that
 * is in use, and changes it in the transaction that moves the jobs.
 *
 * @param held    jobs that hold a slot; always 0 where slots are not counted
 * @param waiting jobs in the line
 * @param atMost  how many may hold a slot; 0 if slots are not counted
 * @param burst   how many may come at once by the rate; 0 if there is none
 * @param spacing the time that each takes of the rate; zero if there is none
 * @param paidAt  until when what has come by the rate takes up time; null if nothing has
 */
public record KeySlots(
        int held,
        int waiting,
        int atMost,
        int burst,
        Duration spacing,
        @Nullable Instant paidAt) {

    /** No job has a slot or waits. */
    public static KeySlots empty(KeyRule rule) {
        return new KeySlots(0, 0, 0, 0, Duration.ZERO, null).under(rule);
    }

    /** The same with the numbers of a rule. */
    public KeySlots under(KeyRule rule) {
        return rule instanceof KeyRule.Rate rate
                ? new KeySlots(held, waiting, 0, rate.burst(), rate.spacing(), paidAt)
                : new KeySlots(held, waiting, rule.atMost(), 0, Duration.ZERO, paidAt);
    }

    /** One more waits. */
    public KeySlots joined() {
        return new KeySlots(held, waiting + 1, atMost, burst, spacing, paidAt);
    }

    /** One that waited has left. */
    public KeySlots left() {
        return new KeySlots(held, waiting - 1, atMost, burst, spacing, paidAt);
    }

    /** A job that held a slot has released it. */
    public KeySlots released() {
        return isCounted() ? new KeySlots(held - 1, waiting, atMost, burst, spacing, paidAt) : this;
    }

    /** How many of the waiting jobs may enter the queue now. */
    public int room(Instant now) {
        if (isCounted()) {
            return Math.max(0, Math.min(waiting, atMost - held));
        }
        if (paidAt == null || !paidAt.isAfter(now)) {
            return Math.min(waiting, burst);
        }
        long taken = ceil(Duration.between(now, paidAt));
        return (int) Math.max(0, Math.min(waiting, burst - taken));
    }

    /** This many waiting jobs enter the queue: they hold a slot, or take up their time of the rate. */
    public KeySlots granted(int count, Instant now) {
        if (isCounted()) {
            return new KeySlots(held + count, waiting - count, atMost, burst, spacing, paidAt);
        }
        Instant from = paidAt == null || paidAt.isBefore(now) ? now : paidAt;
        return new KeySlots(held, waiting - count, atMost, burst, spacing, from.plus(spacing.multipliedBy(count)));
    }

    /**
     * When the key must be looked at again by the clock; null if only the end of a job makes room. That is when half of a
     * burst may come together, so that a rate of thousands per second is not looked at thousands of times; what has
     * gathered until then is not lost.
     */
    public @Nullable Instant wakeAt() {
        if (isCounted() || paidAt == null) {
            return null;
        }
        int together = Math.max(1, Math.min(waiting, burst / 2));
        return waiting > 0 ? paidAt.minus(spacing.multipliedBy(burst - together)) : paidAt;
    }

    /** The same, to be looked at by the clock if any wait. */
    public KeySlots woken(Instant now) {
        return waiting > 0 && paidAt == null ? new KeySlots(held, waiting, atMost, burst, spacing, now) : this;
    }

    /** Whether nothing is lost if this is forgotten. */
    public boolean isIdle(Instant now) {
        return held <= 0 && waiting <= 0 && (paidAt == null || !paidAt.isAfter(now));
    }

    private boolean isCounted() {
        return atMost > 0;
    }

    private long ceil(Duration owed) {
        return Math.floorDiv(owed.toNanos() + spacing.toNanos() - 1, spacing.toNanos());
    }
}
