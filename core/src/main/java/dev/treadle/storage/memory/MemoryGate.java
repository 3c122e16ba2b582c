package dev.treadle.storage.memory;

import dev.treadle.job.JoinRule;
import dev.treadle.lifecycle.Gate;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A gate in memory, and what is done about it. Guarded by the lock of the storage. */
final class MemoryGate {
    Gate gate;
    /** What its waiter waits for if it is suspended; null if not for this. */
    @Nullable
    JoinRule awaited;
    /** Up to which child all are cancelled; -1 if they are not to be. */
    long cancelledTo = -1;
    /** Until when it waits for an event; null if it waits for none. */
    @Nullable
    Instant until;
    /** Of that event. */
    String type = "";
    /** Whether its waiter waits for the event if it is suspended. */
    boolean awaitsEvent;
    /** The event has not come in time. */
    boolean over;
    /** Whether its waiter waits for those that it runs after. */
    boolean awaitsJobs;

    MemoryGate(Gate gate) {
        this.gate = gate;
    }

    boolean isOverdue(Instant now) {
        return awaitsEvent && until != null && !until.isAfter(now);
    }

    void cancelUnlessComplete() {
        if (!gate.isComplete()) {
            cancelledTo = 0;
        }
    }
}
