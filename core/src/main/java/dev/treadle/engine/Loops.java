package dev.treadle.engine;

import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/** A loop for each chore of one server. */
final class Loops {
    /** How long closing waits for one loop's present turn, in milliseconds. */
    private static final long TURN_MILLIS_MAX = 30_000;

    private final Map<Chore, Loop> loops = new EnumMap<>(Chore.class);

    /**
     * @param heardAgain       the longest rest after a heartbeat that failed
     * @param failureIsHandled asked after each failed turn
     */
    Loops(Duration heardAgain, Predicate<Throwable> failureIsHandled) {
        Duration usual = Duration.ofMillis(Loop.BACKOFF_MILLIS_MAX);
        for (Chore chore : Chore.values()) {
            Duration backoffMax = chore == Chore.HEARTBEAT ? heardAgain : usual;
            loops.put(chore, new Loop(chore.threadName(), backoffMax, failureIsHandled));
        }
    }

    Loop of(Chore chore) {
        return Objects.requireNonNull(loops.get(chore));
    }

    Collection<Loop> all() {
        return loops.values();
    }

    Runnable nudgeOf(Chore chore) {
        return of(chore)::nudge;
    }

    /** Waits for the present turns of some, which take no further one. */
    void end(Set<Chore> chores) throws InterruptedException {
        chores.forEach(chore -> of(chore).closeSoon());
        for (Chore chore : chores) {
            of(chore).awaitEnd(Duration.ofMillis(TURN_MILLIS_MAX));
        }
    }

    /** No loop takes a further turn. */
    void closeAllSoon() {
        loops.values().forEach(Loop::closeSoon);
    }
}
