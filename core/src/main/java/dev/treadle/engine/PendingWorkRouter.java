package dev.treadle.engine;

import dev.treadle.dispatch.Dispatcher;
import dev.treadle.dispatch.StopReader;
import dev.treadle.maintenance.Promoter;
import dev.treadle.maintenance.RecurringTicker;
import dev.treadle.maintenance.WorkPoller;
import dev.treadle.storage.PendingWork;
import dev.treadle.storage.QueueStorage.Head;
import dev.treadle.storage.StorageProvider;
import java.time.Duration;
import java.time.Instant;

/** Tells the chores of a node what a look has found for them. */
record PendingWorkRouter(
        StorageProvider storage,
        QueueSelection serving,
        WorkPoller lookout,
        Dispatcher dispatcher,
        Promoter promoter,
        RecurringTicker ticker,
        StopReader stopReader) {
    /** A due job that this node has room for and was not told of within so long, in milliseconds, should have been told. */
    private static final long TOLD_WITHIN_MILLIS = 1_000;
    /** How long a job is left to another node that was told of it, in milliseconds. */
    private static final long TAKEN_WITHIN_MILLIS = 80;

    /** Answers whether the storage should have told of something and did not. */
    boolean test(PendingWork outlook) {
        if (outlook.untilDue() != null) {
            promoter.expect(outlook.untilDue());
        }
        if (outlook.awaits()) {
            ticker.expect(Duration.ZERO);
        } else if (outlook.untilSlot() != null) {
            ticker.expect(outlook.untilSlot());
        }
        if (outlook.stops()) {
            stopReader.lookAgain();
        }
        boolean untold = false;
        for (Head head : outlook.heads()) {
            untold |= serving.serves(head.lane()) && takesUp(head, outlook.now());
        }
        return untold;
    }

    private boolean takesUp(Head head, Instant now) {
        if (lookout.isNotified()
                && head.dueSince().plusMillis(TAKEN_WITHIN_MILLIS).isAfter(now)) {
            // another node has just been told of it, and one more looks whether that one took it
            return false;
        }
        boolean room = dispatcher.room(head.lane()) > 0;
        dispatcher.jobsBecameDue(head.lane());
        if (!room) {
            // others may have some, and not know
            storage.tellOthers(head.lane());
        }
        return room && head.dueSince().plusMillis(TOLD_WITHIN_MILLIS).isBefore(now);
    }
}
