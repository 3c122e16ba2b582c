package dev.treadle.engine;

import java.time.Duration;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the loops of a server: restarts a loop whose thread has ended, and reports a turn that does not end. It calls
 * neither the storage nor user code, so it cannot hang with them. One thread takes turns.
 */
final class Watchdog {
    /** The rest between two looks, in milliseconds. */
    static final long LOOK_EVERY_MILLIS = 1_000;
    /** How long a turn may take before it is reported, in seconds; each further report waits twice as long. */
    static final long LONG_TURN_SECONDS = 60;
    /** How many frames of a stack are logged at most. */
    private static final int FRAMES_MAX = 40;

    private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);

    private final Collection<Loop> loops;
    private final long longTurnNanos;
    /** The last report about each loop. */
    private final Map<Loop, Reported> reported = new IdentityHashMap<>();

    /** @param nanos how long the turn had taken when it was reported */
    private record Reported(long turn, long nanos) {}

    Watchdog(Collection<Loop> loops) {
        this(loops, Duration.ofSeconds(LONG_TURN_SECONDS));
    }

    /** @param longTurn how long a turn may take before it is reported */
    Watchdog(Collection<Loop> loops, Duration longTurn) {
        this.loops = loops;
        this.longTurnNanos = longTurn.toNanos();
    }

    /** Checks each loop once. */
    Duration turn() {
        for (Loop loop : loops) {
            reviveIfDead(loop);
            reportIfLong(loop);
        }
        return Duration.ofMillis(LOOK_EVERY_MILLIS);
    }

    /** Restarts a loop whose thread has ended, and logs that. Any thread. */
    static void reviveIfDead(Loop loop) {
        if (loop.revive()) {
            LOG.error("The thread of the loop '{}' had ended and was started again.", loop.name());
        }
    }

    private void reportIfLong(Loop loop) {
        long turn = loop.turns();
        long nanos = loop.turnNanos();
        if (nanos < longTurnNanos) {
            reported.remove(loop);
            return;
        }
        Reported before = reported.get(loop);
        if (before == null || before.turn != turn || nanos >= 2 * before.nanos) {
            LOG.warn(
                    "The loop '{}' has been in one turn for {} s and does nothing else. It is at{}",
                    loop.name(),
                    Duration.ofNanos(nanos).toSeconds(),
                    text(loop.stack()));
            reported.put(loop, new Reported(turn, nanos));
        }
    }

    private static String text(StackTraceElement[] stack) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < Math.min(stack.length, FRAMES_MAX); i++) {
            text.append("\n\tat ").append(stack[i]);
        }
        return text.toString();
    }
}
