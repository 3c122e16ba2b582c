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
 * Interrupts attempts that run for longer than their job's timeout. Jobs without one are never looked at. One thread
 * takes turns and asks nobody; job threads come and go. Thread-safe.
 */
public final class Deadlines {
    /** How long an attempt may go on after its interrupt before that is logged, in seconds. */
    static final long IGNORED_SECONDS = 10;
    /** A safety net only: an attempt that ends before all others nudges. */
    private static final Duration UNTIL_NUDGED = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(Deadlines.class);

    private final InstantSource time;
    private final StopActions actions;
    private final Runnable nudge;
    private final ConcurrentSkipListMap<Deadline, Attempt> running = new ConcurrentSkipListMap<>();
    /** Interrupted and still running. */
    private final ConcurrentSkipListMap<Deadline, Attempt> overdue = new ConcurrentSkipListMap<>();

    /** @param nudge ends the rest of the loop that takes turns */
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
        // a year is as good as for ever, and can be added to every clock
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

    /** Interrupts those whose time is over. */
    public Duration turn() {
        Instant now = time.instant();
        for (var first = running.firstEntry();
                first != null && !first.getKey().at.isAfter(now); ) {
            interrupt(first.getKey(), first.getValue());
            first = running.firstEntry();
        }
        for (var first = overdue.firstEntry();
                first != null && !first.getKey().at.plusSeconds(IGNORED_SECONDS).isAfter(now); ) {
            complain(first.getKey(), first.getValue());
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
        // first there, then away from here: an attempt that ends at this moment removes itself from both
        overdue.put(deadline, attempt);
        running.remove(deadline);
        if (!attempt.isRunning()) {
            overdue.remove(deadline);
            return;
        }
        actions.stop(attempt, StopReason.TIMED_OUT);
    }

    private void complain(Deadline deadline, Attempt attempt) {
        overdue.remove(deadline);
        if (attempt.isRunning()) {
            LOG.warn(
                    "Job {} ({}) has a timeout of {} and ignores its interrupt: it keeps its permit and its lease until it"
                            + " ends. Let it look at JobContext.shouldStop(), or end what it waits for with"
                            + " JobContext.onStop().",
                    attempt.lease().job().id(),
                    attempt.lease().job().invocation().target(),
                    attempt.lease().job().traits().timeout());
        }
    }

    /** When one attempt's time is over. */
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
