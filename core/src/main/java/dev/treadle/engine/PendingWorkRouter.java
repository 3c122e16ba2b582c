package dev.treadle.engine;

import dev.treadle.dispatch.Dispatcher;
import dev.treadle.dispatch.StopReader;
import dev.treadle.maintenance.GateOpener;
import dev.treadle.maintenance.Promoter;
import dev.treadle.maintenance.RecurringTicker;
import dev.treadle.maintenance.WorkPoller;
import dev.treadle.storage.PendingWork;
import dev.treadle.storage.PendingWork.Head;
import dev.treadle.storage.StorageProvider;
import java.time.Duration;
import java.time.Instant;

/** Tells the chores of a node about the pending work that the poller has found. */
record PendingWorkRouter(
        StorageProvider storage,
        QueueSelection selection,
        WorkPoller poller,
        Dispatcher dispatcher,
        Promoter promoter,
        RecurringTicker ticker,
        GateOpener gates,
        StopReader stopReader) {
    /** Within this time, in milliseconds, the storage should have notified a node that has room for a due job. */
    private static final long NOTIFIED_WITHIN_MILLIS = 1_000;
    /** How long a due job is left to another node that was notified of it, in milliseconds. */
    private static final long TAKEN_WITHIN_MILLIS = 80;

    /** Returns whether the storage has missed a notification that it should have sent. */
    boolean route(PendingWork pending) {
        if (pending.untilDue() != null) {
            promoter.expect(pending.untilDue());
        }
        if (pending.awaits()) {
            ticker.expect(Duration.ZERO);
        } else if (pending.untilSlot() != null) {
            ticker.expect(pending.untilSlot());
        }
        if (pending.gates()) {
            gates.look();
        }
        if (pending.stops()) {
            stopReader.lookAgain();
        }
        boolean missed = false;
        for (Head head : pending.heads()) {
            missed |= selection.serves(head.lane()) && takesUp(head, pending.now());
        }
        return missed;
    }

    private boolean takesUp(Head head, Instant now) {
        if (poller.isNotified()
                && head.dueSince().plusMillis(TAKEN_WITHIN_MILLIS).isAfter(now)) {
            // another node has just been notified, and a later look will show whether it took the job
            return false;
        }
        boolean room = dispatcher.room(head.lane()) > 0;
        dispatcher.jobsBecameDue(head.lane());
        if (!room) {
            // other nodes may have room, and not know of the job
            storage.notifications().passOn(head.lane());
        }
        return room && head.dueSince().plusMillis(NOTIFIED_WITHIN_MILLIS).isBefore(now);
    }
}
