package dev.treadle.dispatch;

import dev.treadle.invoke.Attempt;
import dev.treadle.invoke.StopActions;
import dev.treadle.job.StopReason;
import dev.treadle.lifecycle.Lease;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.concurrent.ConcurrentSkipListMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Interrupts attempts that run longer than their job's timeout. Jobs without a timeout cost nothing. One thread takes turns
 * and does not ask the storage; job threads report when attempts begin and end. Thread-safe.
 */
public final class Deadlines {
    /** How long an attempt may go on after its interrupt before a warning is logged, in seconds. */
    static final long IGNORED_SECONDS = 10;
    /** A safety net only: an attempt with the nearest deadline nudges. */
    private static final Duration UNTIL_NUDGED = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(Deadlines.class);

    private final InstantSource time;
    private final StopActions actions;
    private final Runnable nudge;
    private final ConcurrentSkipListMap<Deadline, Attempt> running = new ConcurrentSkipListMap<>();
    /** Attempts that were interrupted and are still running. */
    private final ConcurrentSkipListMap<Deadline, Attempt> overdue = new ConcurrentSkipListMap<>();

    /** @param nudge wakes the loop that takes turns */
    public Deadlines(InstantSource time, StopActions actions, Runnable nudge) {
        this.time = time;
        this.actions = actions;
        this.nudge = nudge;
    }

    void began(Attempt attempt) {
        Duration timeout = attempt.lease().job().traits().timeout();
        if (timeout == null) {
            return;
        }
        Instant at = endOf(time.instant(), timeout);
        attempt.endsBy(at);
        Deadline mine = Deadline.of(at, attempt.lease());
        running.put(mine, attempt);
        if (mine.equals(running.firstKey())) {
            nudge.run();
        }
    }

    private static Instant endOf(Instant now, Duration timeout) {
        // a year is as good as unlimited, and can be added to every time
        Duration longest = Duration.ofDays(365);
        return now.plus(timeout.compareTo(longest) > 0 ? longest : timeout);
    }

    void ended(Attempt attempt) {
        Instant at = attempt.deadline();
        if (at != null) {
            Deadline mine = Deadline.of(at, attempt.lease());
            running.remove(mine);
            overdue.remove(mine);
        }
    }

    /** Interrupts attempts whose timeout has passed. */
    public Duration turn() {
        Instant now = time.instant();
        for (var first = running.firstEntry();
                first != null && !first.getKey().at.isAfter(now); ) {
            interrupt(first.getKey(), first.getValue());
            first = running.firstEntry();
        }
        for (var first = overdue.firstEntry();
                first != null && !first.getKey().at.plusSeconds(IGNORED_SECONDS).isAfter(now); ) {
            warn(first.getKey(), first.getValue());
            first = overdue.firstEntry();
        }
        var next = running.firstEntry();
        if (next == null) {
            return overdue.isEmpty() ? UNTIL_NUDGED : Duration.ofSeconds(1);
        }
        Duration rest = Duration.between(now, next.getKey().at);
        return rest.compareTo(UNTIL_NUDGED) < 0 ? rest : UNTIL_NUDGED;
    }

    private void interrupt(Deadline deadline, Attempt attempt) {
        // first add, then remove: an attempt that ends in the meantime removes itself from both maps
        overdue.put(deadline, attempt);
        running.remove(deadline);
        if (!attempt.isRunning()) {
            overdue.remove(deadline);
            return;
        }
        actions.stop(attempt, StopReason.TIMED_OUT);
    }

    private void warn(Deadline deadline, Attempt attempt) {
        overdue.remove(deadline);
        if (attempt.isRunning()) {
            LOG.warn(
                    "Job {} ({}) exceeded its timeout of {} and ignored the interrupt. It keeps its permit and its lease until"
                            + " it ends. Let it check JobContext.shouldStop(), or use JobContext.onStop() to end what it"
                            + " waits for.",
                    attempt.lease().job().id(),
                    attempt.lease().job().invocation().target(),
                    attempt.lease().job().traits().timeout());
        }
    }

    /** The time at which one attempt is to be interrupted. */
    private record Deadline(Instant at, java.util.UUID job, long token) implements Comparable<Deadline> {
        private static final Comparator<Deadline> ORDER =
                Comparator.comparing(Deadline::at).thenComparing(Deadline::job).thenComparingLong(Deadline::token);

        static Deadline of(Instant at, Lease lease) {
            return new Deadline(at, lease.job().id().value(), lease.token());
        }

        @Override
        public int compareTo(Deadline other) {
            return ORDER.compare(this, other);
        }
    }
}
