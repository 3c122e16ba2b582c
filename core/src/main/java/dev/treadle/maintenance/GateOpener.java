package dev.treadle.maintenance;

import dev.treadle.job.JobTraits;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Transition;
import dev.treadle.lifecycle.Trigger;
import dev.treadle.storage.GateStorage;
import dev.treadle.storage.GateStorage.Opening;
import java.time.Duration;
import java.time.InstantSource;

/** Lets jobs go on whose gate has opened. It asks the storage only after something has happened at a gate. */
public final class GateOpener {
    /** The highest number of gates that one turn looks at. */
    public static final int GATES_MAX = 100;

    private final GateStorage gates;
    private final Runnable dueNow;
    private final Duration longest;
    private final Expected next;
    private volatile boolean news;

    /**
     * @param dueNow  run when jobs may go on
     * @param longest the longest rest
     * @param time    only differences of it matter
     * @param nudge   wakes the loop that takes turns
     */
    public GateOpener(GateStorage gates, Runnable dueNow, Duration longest, InstantSource time, Runnable nudge) {
        this.gates = gates;
        this.dueNow = dueNow;
        this.longest = longest;
        this.next = new Expected(time, nudge);
    }

    /** Looks at gates where something has happened, if that is known of any. */
    public Duration turn() {
        if (!news) {
            return next.rest(longest);
        }
        next.turnBegins();
        news = false;
        boolean done = false;
        try {
            Opening opening = gates.open(GATES_MAX);
            done = !opening.more();
            if (opening.resumed() > 0) {
                dueNow.run();
            }
        } finally {
            if (!done) {
                news = true;
            }
        }
        return done ? next.rest(longest) : Duration.ZERO;
    }

    /** An attempt has ended. May be called on any thread. */
    public void ended(Transition ending, WriteResult result) {
        JobTraits traits = ending.from().traits();
        if (ending.trigger() == Trigger.SUSPEND
                || (traits.gate() != null || traits.isFollowed())
                        && ending.next().isFinal()
                || result instanceof WriteResult.Written written && written.isFollowed()) {
            look();
        }
    }

    /** Something has happened at a gate. May be called on any thread. */
    public void look() {
        news = true;
        next.in(Duration.ZERO);
    }
}
